import type { MigrationInterface, QueryRunner } from 'typeorm';
/** Requests that carried an `Idempotency-Key`. */
export declare class IdempotencyKeys20261121000820 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
