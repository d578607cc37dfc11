import type { QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '../schema/advisory-locks';
import type { CompatibleMigration } from '../schema/compatibility';

const AMOUNTS = [
  'conversations',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
];

const columns = AMOUNTS.join(', ');
const sums = AMOUNTS.map((amount) => `sum(${amount}) AS ${amount}`).join(', ');

const MONTHS = `
INSERT INTO usage_by_month (org_id, dimension, month, value, is_rest, ${columns})
SELECT org_id, dimension, date_trunc('month', day::timestamp)::date, value, is_rest, ${sums}
  FROM usage_by_day WHERE dimension <> 'all' GROUP BY 1, 2, 3, 4, 5`;

/** Of a user on one day, as folds tell them apart. */
const MOST_VALUES = 100;

/**
 * One statement, so one view of the data: what its deltas have is in the totals of the records that it sees, and is folded later. All
 * else counts as in the migration by which usage by day began: what was spent with what, and when, is not known of a user.
 */
const OF_USERS = `
INSERT INTO usage_of_users (org_id, user_id, dimension, day, value, is_rest, ${columns})
SELECT org_id, user_id, dimension, day, CASE WHEN place > ${MOST_VALUES} THEN '' ELSE value END, place > ${MOST_VALUES}, ${sums}
  FROM (
    SELECT r.org_id, r.user_id, p.dimension, r.day, p.value, ${sums},
           row_number() OVER (PARTITION BY r.org_id, r.user_id, p.dimension, r.day
                              ORDER BY p.value <> '', sum(accumulated_cost) DESC, p.value) AS place
      FROM (
        SELECT org_id, created_by_user_id AS user_id, conversation_day(created_at) AS day, llm_model,
               selected_repository AS repository, tags, 1 AS conversations, 0 AS accumulated_cost, 0 AS prompt_tokens,
               0 AS completion_tokens, 0 AS cache_read_tokens, 0 AS cache_write_tokens
          FROM conversations
        UNION ALL
        SELECT org_id, created_by_user_id, conversation_day(updated_at), llm_model, selected_repository, tags, 0,
               conversation_money(accumulated_cost), prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens
          FROM conversations
         WHERE accumulated_cost > 0 OR prompt_tokens > 0 OR completion_tokens > 0 OR cache_read_tokens > 0
            OR cache_write_tokens > 0
        UNION ALL
        SELECT d.org_id, user_id, day, llm_model, repository, tags, ${AMOUNTS.map((amount) => `-${amount}`).join(', ')}
          FROM usage_deltas d JOIN organizations o ON o.id = d.org_id
      ) r JOIN org_members USING (org_id, user_id)
     CROSS JOIN LATERAL usage_places(r.user_id, r.llm_model, r.repository, r.tags) p
     WHERE p.dimension IN ('model', 'repository', 'tag') GROUP BY 1, 2, 3, 4, 5) placed
 GROUP BY 1, 2, 3, 4, 5, 6`;

/** What was used before it was counted by month, and of each user by model, repository and tag. */
export class UsageOfUsersSoFar20261129034030 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // Folds wait for their turn, so that nothing is added to either meanwhile.
    await runner.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.usage]);
    await runner.query('DELETE FROM usage_by_month');
    await runner.query('DELETE FROM usage_of_users');
    await runner.query(MONTHS);
    await runner.query(OF_USERS);
  }

  async down(): Promise<void> {
    // What was counted stays right.
  }
}
