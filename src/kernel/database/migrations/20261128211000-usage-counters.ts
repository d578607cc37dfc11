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

/** Rows that are only added, by whoever changes a conversation: nobody waits for anybody. */
const DELTAS = `
CREATE TABLE usage_deltas (
  org_id uuid NOT NULL,
  day date NOT NULL,
  user_id uuid NOT NULL,
  llm_model text,
  repository text,
  tags jsonb NOT NULL,
  conversations bigint NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX usage_deltas_org ON usage_deltas (org_id);
COMMENT ON TABLE usage_deltas IS 'what was spent, and which conversations were made, since usage_by_day was last added to';
COMMENT ON COLUMN usage_deltas.day IS 'of the spending, or of the creation, UTC'`;

const BY_DAY = `
CREATE TABLE usage_by_day (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  dimension text NOT NULL,
  day date NOT NULL,
  value text NOT NULL,
  is_rest boolean NOT NULL,
  first_user_id uuid,
  conversations numeric NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL,
  PRIMARY KEY (org_id, dimension, day, value, is_rest),
  CONSTRAINT dimension_known CHECK (dimension IN ('all', 'user', 'model', 'repository', 'tag')),
  CONSTRAINT value_length CHECK (char_length(value) <= 255)
) WITH (fillfactor = 70);
COMMENT ON COLUMN usage_by_day.value IS 'its first 255 characters; empty for none, for all, and for the rest';
COMMENT ON COLUMN usage_by_day.is_rest IS 'of all values that came after the most that a day has';
COMMENT ON COLUMN usage_by_day.first_user_id IS 'with whose conversation the value came; null where it is empty'`;

/** Where the amounts of a conversation are counted. A tag is counted as the filters of lists write it. */
const PLACES = `
CREATE FUNCTION usage_places(creator uuid, llm_model text, repository text, tags jsonb)
RETURNS TABLE (dimension text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT p.dimension, p.value FROM (VALUES
  ('all', ''), ('user', creator::text), ('model', coalesce(left(llm_model, 255), '')),
  ('repository', coalesce(left(repository, 255), ''))) p (dimension, value)
UNION ALL
(SELECT DISTINCT 'tag', left(t.key || ':' || coalesce(t.value, 'null'), 255)
   FROM jsonb_each_text(CASE jsonb_typeof(tags) WHEN 'object' THEN tags ELSE '{}' END) t)
UNION ALL
SELECT 'tag', '' WHERE tags = '{}'
$$`;

/** New conversations: counted on the day of their creation, and what they bring along on that of their last update. */
const BEGUN = `
CREATE FUNCTION usage_begun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_deltas
  SELECT c.org_id, conversation_day(c.created_at), c.created_by_user_id, c.llm_model, c.selected_repository, c.tags,
         1, 0, 0, 0, 0, 0
    FROM added c
  UNION ALL
  SELECT c.org_id, conversation_day(c.updated_at), c.created_by_user_id, c.llm_model, c.selected_repository, c.tags,
         0, conversation_money(c.accumulated_cost), c.prompt_tokens, c.completion_tokens, c.cache_read_tokens,
         c.cache_write_tokens
    FROM added c
   WHERE c.accumulated_cost > 0 OR c.prompt_tokens > 0 OR c.completion_tokens > 0 OR c.cache_read_tokens > 0
      OR c.cache_write_tokens > 0;
  RETURN NULL;
END
$$`;

/** Spent is by how much the totals of a record have grown. */
const SPENT = `
CREATE FUNCTION usage_spent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_deltas VALUES (
    NEW.org_id, conversation_day(now()), NEW.created_by_user_id, NEW.llm_model, NEW.selected_repository, NEW.tags, 0,
    greatest(conversation_money(NEW.accumulated_cost) - conversation_money(OLD.accumulated_cost), 0),
    greatest(NEW.prompt_tokens - OLD.prompt_tokens, 0),
    greatest(NEW.completion_tokens - OLD.completion_tokens, 0),
    greatest(NEW.cache_read_tokens - OLD.cache_read_tokens, 0),
    greatest(NEW.cache_write_tokens - OLD.cache_write_tokens, 0));
  RETURN NULL;
END
$$`;

/**
 * One at a time. What belongs to an organization that is gone is dropped. New values beyond the most of a day, or the most that
 * one user brings to it, are added to its rest: no user fills the day alone. Each day is looked up by itself, as the planner would
 * read all days at once, and compile the plan.
 */
const FOLD = `
CREATE FUNCTION usage_fold(most integer, most_values integer, most_of_user integer) RETURNS integer
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
      ${AMOUNTS.map((amount) => `${amount} = held.${amount} + EXCLUDED.${amount}`).join(', ')}
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END
$$`;

const SPENDING = AMOUNTS.slice(1).map((amount) => `old.${amount} IS DISTINCT FROM new.${amount}`);

/** What organizations used, by day and by whom and what, kept by triggers and a job. */
export class UsageCounters20261128211000 implements CompatibleMigration {
  /** Earlier builds write conversations, which triggers count, and read none of it. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    for (const statement of [DELTAS, BY_DAY, PLACES, BEGUN, SPENT, FOLD]) await runner.query(statement);
    await runner.query(`CREATE TRIGGER conversations_usage_begun AFTER INSERT ON conversations
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_begun()`);
    await runner.query(`CREATE TRIGGER conversations_usage_spent AFTER UPDATE ON conversations
      FOR EACH ROW WHEN (${SPENDING.join(' OR ')}) EXECUTE FUNCTION usage_spent()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
