import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
import { ADVISORY_LOCKS } from '../schema/advisory-locks';

/**
 * One statement, so one view of the data: changes that it sees are in the totals of the records, those that it does not see stay
 * among the deltas. What was spent when is not known: all of it counts on the day of the last update.
 */
const COUNT_SO_FAR = `
WITH counted AS (DELETE FROM usage_deltas)
INSERT INTO usage_deltas
SELECT org_id, day, created_by_user_id, llm_model, selected_repository, tags, sum(made), sum(cost), sum(prompt),
       sum(completion), sum(cache_read), sum(cache_write)
  FROM (
    SELECT c.*, conversation_day(c.created_at) AS day, 1 AS made, 0 AS cost, 0 AS prompt, 0 AS completion,
           0 AS cache_read, 0 AS cache_write
      FROM conversations c
    UNION ALL
    SELECT c.*, conversation_day(c.updated_at), 0, conversation_money(c.accumulated_cost), c.prompt_tokens,
           c.completion_tokens, c.cache_read_tokens, c.cache_write_tokens
      FROM conversations c
     WHERE c.accumulated_cost > 0 OR c.prompt_tokens > 0 OR c.completion_tokens > 0 OR c.cache_read_tokens > 0
        OR c.cache_write_tokens > 0
  ) each GROUP BY 1, 2, 3, 4, 5, 6`;

/** What was used before it was counted by day: of all records, deleted ones too. */
export class UsageSoFar20261128212000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.usage]);
    await runner.query(COUNT_SO_FAR);
  }

  async down(): Promise<void> {
    // What was counted stays right.
  }
}
