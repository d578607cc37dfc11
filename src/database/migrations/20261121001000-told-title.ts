import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lets the record keep the title a person gave against an agent server that repeats an older one. */
export class ToldTitle20261121001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations ADD COLUMN told_title text, ADD COLUMN forwarded_title text;
      COMMENT ON COLUMN conversations.told_title IS 'the last title the agent server told: hearing it again changes nothing';
      COMMENT ON COLUMN conversations.forwarded_title IS 'the last title the agent server was given: its echo changes nothing';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversations DROP COLUMN told_title, DROP COLUMN forwarded_title');
  }
}
