import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Locked in the order in which the rest of the service does it. */
const PLACE_WAITING = `
UPDATE pending_messages m SET org_id = w.org_id
  FROM (SELECT p.id, coalesce(c.org_id, q.org_id) AS org_id
          FROM pending_messages p JOIN message_queues q ON q.id = p.queue_id
          LEFT JOIN conversations c ON c.id = q.conversation_id
         WHERE p.state IN ('queued', 'delivering') AND p.org_id IS NULL
         ORDER BY q.id, p.rank FOR NO KEY UPDATE OF p) w
 WHERE m.id = w.id`;

const INDEXES = {
  pending_messages_waiting: `pending_messages (org_id, created_at) WHERE state IN ('queued', 'delivering')`,
  conversations_failed: `conversations (org_id, updated_at, id)
    WHERE deleted_at IS NULL AND (start_state = 'failed' OR execution_status IN ('error', 'stuck'))`,
};

/** What the overview of an organization reads: its messages that wait, and what failed in it. */
export class OverviewIndexes20261128213500 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PLACE_WAITING);
    for (const [name, definition] of Object.entries(INDEXES)) {
      // What an interrupted run left.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
