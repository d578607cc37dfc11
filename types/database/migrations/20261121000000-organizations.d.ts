import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Users, organizations, members, app settings and keys. */
export declare class Organizations20261121000000 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
