import type { QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '../schema/advisory-locks';
import type { CompatibleMigration } from '../schema/compatibility';

/** What is counted of a conversation, or of what it spent. */
const AMOUNTS = [
  'conversations',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
];

const sums = AMOUNTS.map((amount) => `sum(${amount}) AS ${amount}`).join(', ');

const GROWN = AMOUNTS.map((amount) => `${amount} = held.${amount} + EXCLUDED.${amount}`).join(', ');

const TABLES = `
CREATE TABLE usage_by_month (
  org_id uuid NOT NULL CONSTRAINT usage_by_month_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  dimension text NOT NULL CONSTRAINT dimension_known CHECK (dimension IN ('user', 'model', 'repository', 'tag')),
  month date NOT NULL,
  value text NOT NULL CONSTRAINT value_length CHECK (char_length(value) <= 255),
  is_rest boolean NOT NULL,
  conversations numeric NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL,
  PRIMARY KEY (org_id, dimension, month, value, is_rest)
) WITH (fillfactor = 70);
COMMENT ON TABLE usage_by_month IS 'what the days of usage_by_day add up to';
COMMENT ON COLUMN usage_by_month.month IS 'its first day';

CREATE TABLE usage_of_users (
  org_id uuid NOT NULL CONSTRAINT usage_of_users_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  dimension text NOT NULL CONSTRAINT dimension_known CHECK (dimension IN ('model', 'repository', 'tag')),
  day date NOT NULL,
  value text NOT NULL CONSTRAINT value_length CHECK (char_length(value) <= 255),
  is_rest boolean NOT NULL,
  conversations numeric NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL,
  PRIMARY KEY (org_id, user_id, dimension, day, value, is_rest)
) WITH (fillfactor = 70);
CREATE INDEX usage_of_users_user ON usage_of_users (user_id);
COMMENT ON TABLE usage_of_users IS 'what usage_by_day has of each user'`;

/**
 * As before, and what is added to a day is added to its month, and to what its user has of it. Of who is no member that is not kept:
 * nobody reads it, and an erasure has removed it.
 */
const FOLD = `
CREATE OR REPLACE FUNCTION usage_fold(most integer, most_values integer, most_of_user integer) RETURNS integer
LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.usage}) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM usage_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_deltas LIMIT most)) RETURNING *
  ), parts AS MATERIALIZED (
    SELECT t.org_id, p.dimension, t.day, p.value, t.user_id, ${sums}
      FROM (SELECT org_id, day, user_id, llm_model, repository, tags, ${sums} FROM taken GROUP BY 1, 2, 3, 4, 5, 6) t
     CROSS JOIN LATERAL usage_places(t.user_id, t.llm_model, t.repository, t.tags) p
     WHERE EXISTS (SELECT FROM organizations o WHERE o.id = t.org_id)
     GROUP BY 1, 2, 3, 4, 5
  ), known AS MATERIALIZED (
    SELECT g.*, h.first_user_id, h.values
      FROM (SELECT DISTINCT p.org_id, p.dimension, p.day FROM parts p WHERE p.value <> '') g
     CROSS JOIN LATERAL (
       SELECT u.first_user_id, count(*) AS values FROM usage_by_day u
        WHERE u.org_id = g.org_id AND u.dimension = g.dimension AND u.day = g.day AND u.value <> '' GROUP BY 1) h
  ), fresh AS MATERIALIZED (
    SELECT p.*, row_number() OVER (
             PARTITION BY p.org_id, p.dimension, p.day, p.user_id ORDER BY p.accumulated_cost DESC, p.value)
           + coalesce(k.values, 0) AS of_user
      FROM parts p
      LEFT JOIN known k ON k.org_id = p.org_id AND k.dimension = p.dimension AND k.day = p.day
        AND k.first_user_id = p.user_id
     WHERE p.value <> '' AND NOT EXISTS (
       SELECT FROM usage_by_day u WHERE u.org_id = p.org_id AND u.dimension = p.dimension AND u.day = p.day
          AND u.value = p.value AND NOT u.is_rest)
  ), told_apart AS (
    SELECT org_id, dimension, day, value, (array_agg(user_id ORDER BY of_user))[1] AS first_user_id,
           row_number() OVER (PARTITION BY org_id, dimension, day ORDER BY sum(accumulated_cost) DESC, value)
           + coalesce(d.values, 0) AS of_day
      FROM fresh LEFT JOIN (SELECT org_id, dimension, day, sum(values) AS values FROM known GROUP BY 1, 2, 3) d
           USING (org_id, dimension, day)
     WHERE of_user <= most_of_user GROUP BY 1, 2, 3, 4, d.values
  ), placed AS (
    SELECT p.*, a.first_user_id, f.value IS NOT NULL AND a.value IS NULL AS beyond
      FROM parts p
      LEFT JOIN fresh f USING (org_id, dimension, day, value, user_id)
      LEFT JOIN told_apart a ON a.org_id = p.org_id AND a.dimension = p.dimension AND a.day = p.day
        AND a.value = p.value AND a.of_day <= most_values
  ), added AS (
    INSERT INTO usage_by_day AS held
      (org_id, dimension, day, value, is_rest, first_user_id, ${AMOUNTS.join(', ')})
    SELECT org_id, dimension, day, CASE WHEN beyond THEN '' ELSE value END, beyond, first_user_id, ${sums}
      FROM placed GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (org_id, dimension, day, value, is_rest) DO UPDATE SET
      ${GROWN}
  ), by_month AS (
    INSERT INTO usage_by_month AS held (org_id, dimension, month, value, is_rest, ${AMOUNTS.join(', ')})
    SELECT org_id, dimension, date_trunc('month', day::timestamp)::date, CASE WHEN beyond THEN '' ELSE value END, beyond, ${sums}
      FROM placed WHERE dimension <> 'all' GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (org_id, dimension, month, value, is_rest) DO UPDATE SET
      ${GROWN}
  ), of_users AS (
    INSERT INTO usage_of_users AS held (org_id, user_id, dimension, day, value, is_rest, ${AMOUNTS.join(', ')})
    SELECT org_id, user_id, dimension, day, CASE WHEN beyond THEN '' ELSE value END, beyond, ${sums}
      FROM placed JOIN org_members USING (org_id, user_id)
     WHERE dimension IN ('model', 'repository', 'tag') GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (org_id, user_id, dimension, day, value, is_rest) DO UPDATE SET
      ${GROWN}
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END
$$`;

/** What organizations used by month, and their users by model, repository and tag, for who looks at long periods or at their own. */
export class UsageOfUsers20261129034000 implements CompatibleMigration {
  /** Earlier builds fold with the same function, and read none of it. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLES);
    await runner.query(FOLD);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
