import type { QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '../schema/advisory-locks';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * One statement, so one view of the data: changes that it sees are in the records, those that it does not see stay among the
 * deltas.
 */
const COUNT_SO_FAR = `
WITH counted AS (DELETE FROM conversation_completed_deltas)
INSERT INTO conversation_completed_counts
SELECT org_id, conversation_hour(updated_at), count(*) FROM conversations
 WHERE conversation_completed(execution_status, deleted_at) AND updated_at >= now() - interval '31 days'
 GROUP BY 1, 2`;

/** Conversations that had ended before they were counted. */
export class CompletedSoFar20261129033030 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.counts]);
    await runner.query(COUNT_SO_FAR);
  }

  async down(): Promise<void> {
    // What was counted stays right.
  }
}
