import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Sandboxes, and the hosts they live on. */
export declare class Sandboxes20261121000500 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
