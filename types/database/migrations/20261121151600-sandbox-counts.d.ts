import type { MigrationInterface, QueryRunner } from 'typeorm';
/**
 * Counters of sandboxes, for the figures of an organization. In a transaction of its own: whoever held locks on
 * `conversations` as well could wait in a ring with a start of an older replica, which holds both.
 */
export declare class SandboxCounts20261121151600 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
