import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Events of conversations, split by conversation from the start. */
export declare class Events20261121000700 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
