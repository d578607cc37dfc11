import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const INDEXES = {
  conversations_deleted: `conversations (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL AND emptied_at IS NULL`,
  conversations_expired: `conversations (org_id, id) WHERE expired_at IS NOT NULL AND emptied_at IS NULL`,
  sandboxes_kept: `sandboxes (org_id, id) WHERE status IN ('PAUSED', 'ERROR') AND stopping IS NULL`,
  pending_messages_done_org: `pending_messages (org_id, coalesce(delivered_at, failed_at, created_at), id)
    WHERE state IN ('delivered', 'failed', 'cancelled')`,
};

/** By what retention finds what organizations have to remove. */
export class RetentionIndexes20261129024100 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
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
