import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
/**
 * A migration that says which builds may run on the schema that it makes. A build is known by the time of its
 * newest migration, which orders builds (docs/operations.md, "Upgrades").
 */
export interface CompatibleMigration extends MigrationInterface {
    /** The oldest build that works with the schema after this migration. */
    readonly oldestBuild: number;
}
/** The build that the code of a data source is. */
export declare function buildOf({ migrations }: DataSource): number;
/**
 * @throws StartError when a migration of a newer build shut this one out
 * @throws Error when a migration does not say which builds it shuts out
 */
export declare function checkCompatibility(dataSource: DataSource, runner: QueryRunner): Promise<void>;
/** Writes down which builds may run on the schema, for the starts of older ones. */
export declare function recordCompatibility(dataSource: DataSource, runner: QueryRunner): Promise<void>;
