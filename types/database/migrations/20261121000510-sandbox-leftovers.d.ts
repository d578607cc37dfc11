import type { MigrationInterface, QueryRunner } from 'typeorm';
/** What hosts still hold of sandboxes whose rows went with their organization or user. */
export declare class SandboxLeftovers20261121000510 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
