import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Lets a run that is about to pause hear that something has changed meanwhile. */
export declare class QueueWakeUps20261121000810 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
