import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Conversations and the tasks that start them. */
export declare class Conversations20261121000600 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
