import type { MigrationInterface } from 'typeorm';
/**
 * Runs the migrations of an extension, noted in a table of its own; the caller holds the lock of `migrate`.
 * @param name of the extension
 * @returns the names of the migrations that ran
 * @throws StartError when one of them fails; the database is as it was before that one
 */
export declare function migrateExtension(url: string, name: string, migrations: readonly (new () => MigrationInterface)[]): Promise<string[]>;
