import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * The same counters of undelivered bytes with half the writes: a large message wrote each of two rows twice. Only
 * functions change, so that earlier builds count the same way.
 */
export declare class CheaperMessageCounters20261122034000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
