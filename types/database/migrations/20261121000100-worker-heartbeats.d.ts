import type { MigrationInterface, QueryRunner } from 'typeorm';
export declare class WorkerHeartbeats20261121000100 implements MigrationInterface {
    name: string;
    up(db: QueryRunner): Promise<void>;
    down(db: QueryRunner): Promise<void>;
}
