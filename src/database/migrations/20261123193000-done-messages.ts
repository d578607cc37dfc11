import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Lets recurring jobs find messages by when they were done, and early queues, without those that they leave alone. */
export class DoneMessages20261123193000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while messages come in. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    // What an interrupted run left may be invalid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS pending_messages_done');
    await runner.query(
      `CREATE INDEX CONCURRENTLY pending_messages_done
        ON pending_messages (coalesce(delivered_at, failed_at, created_at))
        WHERE state IN ('delivered', 'failed', 'cancelled')`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS message_queues_early');
    await runner.query(
      `CREATE INDEX CONCURRENTLY message_queues_early ON message_queues (created_at) WHERE early_key IS NOT NULL`,
    );
    await runner.query('RESET lock_timeout');
    // Those of a partial index are not used, and without any the planner expects a third of the table.
    await runner.query(
      `CREATE STATISTICS IF NOT EXISTS pending_messages_done_at
        ON (coalesce(delivered_at, failed_at, created_at)) FROM pending_messages`,
    );
    await runner.query('ANALYZE pending_messages, message_queues');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX pending_messages_done');
    await runner.query('DROP STATISTICS pending_messages_done_at');
    await runner.query('DROP INDEX message_queues_early');
  }
}
