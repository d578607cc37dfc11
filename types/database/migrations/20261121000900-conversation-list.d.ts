import type { MigrationInterface, QueryRunner } from 'typeorm';
/** What makes the list of an organization cost the same at any size: its indexes and its counters. */
export declare class ConversationList20261121000900 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
