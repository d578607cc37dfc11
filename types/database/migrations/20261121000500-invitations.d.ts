import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Invitations, what their limits count, and the codes that prove an address. */
export declare class Invitations20261121000500 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
