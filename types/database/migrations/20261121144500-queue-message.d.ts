import type { MigrationInterface, QueryRunner } from 'typeorm';
/**
 * Queues a message in one round trip. The queue is locked before its messages are counted: in a function each
 * statement sees what was committed before it began, which the parts of a single statement do not.
 */
export declare class QueueMessage20261121144500 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
