import type { MigrationInterface, QueryRunner } from 'typeorm';
/**
 * Whether a run is planned is judged by the time at which the queue is locked: its job may have run since the
 * transaction began. When a message was sent is not kept, since nothing depends on it.
 */
export declare class QueueTimes20261121164000 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
