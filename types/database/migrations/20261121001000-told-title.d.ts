import type { MigrationInterface, QueryRunner } from 'typeorm';
/** What lets the record keep the title a person gave against an agent server that repeats an older one. */
export declare class ToldTitle20261121001000 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
