import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/** The row that `/ready` changes to prove that the database takes writes. */
export declare class WriteCheck20261122003000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
