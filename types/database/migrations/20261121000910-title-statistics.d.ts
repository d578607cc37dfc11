import type { MigrationInterface, QueryRunner } from 'typeorm';
/**
 * What the planner has to know of the words in titles, to choose between the trigram index, which has all
 * organizations in it, and the index of one organization.
 */
export declare class TitleStatistics20261121000910 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
