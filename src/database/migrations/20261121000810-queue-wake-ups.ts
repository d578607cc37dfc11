import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a run that is about to pause hear that something has changed meanwhile. */
export class QueueWakeUps20261121000810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_queues ADD COLUMN woken boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN message_queues.woken IS 'somebody wanted a run while there was one, which then must not pause';
      CREATE INDEX message_queues_claimed ON message_queues (claimed_until) WHERE claimed_until IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_queues_claimed;
      ALTER TABLE message_queues DROP COLUMN woken;
    `);
  }
}
