import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/** Lets events be read in the order of their numbers, from any of them on. */
export declare class EventOrder20261122150000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    /** Indexes are made while events come in. */
    readonly transaction = false;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
