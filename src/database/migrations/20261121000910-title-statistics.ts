import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the planner has to know of the words in titles, to choose between the trigram index, which has all
 * organizations in it, and the index of one organization.
 */
export class TitleStatistics20261121000910 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE STATISTICS conversations_lower_title ON (lower(title)) FROM conversations;
      ALTER STATISTICS conversations_lower_title SET STATISTICS 1000;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP STATISTICS conversations_lower_title');
  }
}
