import type { MigrationInterface, QueryRunner } from 'typeorm';
/** What tells, at a start, whether `SECRET_KEY` is the one the secrets were encrypted with. */
export declare class SecretCheck20261121000050 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
