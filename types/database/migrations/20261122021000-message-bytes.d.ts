import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * Counts the bytes of undelivered messages, exactly whoever queues at once. Messages that were cancelled lose their
 * content, which nobody reads again.
 */
export declare class MessageBytes20261122021000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
