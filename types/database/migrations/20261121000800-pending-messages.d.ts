import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Queues of messages: one for each conversation, and one for each id that came before its conversation. */
export declare class PendingMessages20261121000800 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
