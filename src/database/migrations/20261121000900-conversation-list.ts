import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What makes the list of an organization cost the same at any size: its indexes and its counters. */
export class ConversationList20261121000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    await runner.query(INDEXES);
    await runner.query(COUNTERS);
    await runner.query(COUNTING);
    await runner.query(FOLDING);
    await runner.query('SELECT conversation_counts_rebuild()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER conversations_counted_in ON conversations;
      DROP TRIGGER conversations_counted_out ON conversations;
      DROP TRIGGER conversations_counted_anew ON conversations;
      DROP TRIGGER conversations_counted_none ON conversations;
      DROP FUNCTION conversations_counted_in, conversations_counted_out, conversations_counted_anew,
                    conversations_counted_none, conversation_counts_fold, conversation_counts_rebuild;
      DROP FUNCTION conversation_day, conversation_money;
      DROP TABLE conversation_counts, conversation_usage, conversation_count_deltas;
      DROP INDEX conversations_org_updated, conversations_org_created, conversations_org_cost,
                 conversations_org_model, conversations_org_title, conversations_title_trigrams,
                 users_trigrams, sandboxes_id_trigrams;
      CREATE INDEX conversations_org_updated ON conversations (org_id, updated_at DESC, id DESC)
        WHERE deleted_at IS NULL;
    `);
  }
}

/**
 * One index for each sort, with what the filters look at, so that skipped rows are never read. Texts go in
 * by their first 255 characters, because an index entry has a largest size.
 */
const INDEXES = `
  DROP INDEX conversations_org_updated;
  CREATE INDEX conversations_org_updated ON conversations (org_id, updated_at, id)
    INCLUDE (execution_status, parent_conversation_id, created_at) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_org_created ON conversations (org_id, created_at, id)
    INCLUDE (execution_status, parent_conversation_id) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_org_cost ON conversations (org_id, accumulated_cost, id)
    INCLUDE (execution_status, parent_conversation_id, created_at) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_org_model ON conversations (org_id, (left(llm_model, 255)) COLLATE "C", id)
    WHERE deleted_at IS NULL;
  CREATE INDEX conversations_org_title ON conversations (org_id, (left(lower(title), 255)) COLLATE "C", id)
    WHERE deleted_at IS NULL;
  CREATE INDEX conversations_title_trigrams ON conversations USING gin (lower(title) gin_trgm_ops)
    WHERE deleted_at IS NULL;
  CREATE INDEX users_trigrams ON users USING gin (lower(name) gin_trgm_ops, lower(email) gin_trgm_ops);
  CREATE INDEX sandboxes_id_trigrams ON sandboxes USING gin ((id::text) gin_trgm_ops);
`;

/**
 * Counters, and the changes that were not added to them yet: what holds is both together. Writers only insert
 * changes, so they never wait for each other.
 */
const COUNTERS = `
  CREATE TABLE conversation_counts (
    org_id uuid NOT NULL,
    day date NOT NULL,
    execution_status text NOT NULL,
    is_sub boolean NOT NULL,
    conversations bigint NOT NULL,
    PRIMARY KEY (org_id, day, execution_status, is_sub)
  );
  COMMENT ON COLUMN conversation_counts.day IS 'of creation, UTC; -infinity has all days together';
  COMMENT ON COLUMN conversation_counts.execution_status IS 'empty for none';

  CREATE TABLE conversation_usage (
    org_id uuid NOT NULL,
    llm_model text NOT NULL,
    conversations bigint NOT NULL,
    accumulated_cost numeric NOT NULL,
    prompt_tokens numeric NOT NULL,
    completion_tokens numeric NOT NULL,
    cache_read_tokens numeric NOT NULL,
    cache_write_tokens numeric NOT NULL,
    PRIMARY KEY (org_id, llm_model)
  );
  COMMENT ON COLUMN conversation_usage.llm_model IS 'its first 255 characters; empty for none';

  CREATE TABLE conversation_count_deltas (
    org_id uuid NOT NULL,
    day date NOT NULL,
    execution_status text NOT NULL,
    is_sub boolean NOT NULL,
    llm_model text NOT NULL,
    conversations bigint NOT NULL,
    accumulated_cost numeric NOT NULL,
    prompt_tokens numeric NOT NULL,
    completion_tokens numeric NOT NULL,
    cache_read_tokens numeric NOT NULL,
    cache_write_tokens numeric NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE INDEX conversation_count_deltas_org ON conversation_count_deltas (org_id);
`;

/** A stored conversation as the keys and amounts of a change. */
function counted(row: string): string {
  return `${row}.org_id, conversation_day(${row}.created_at), coalesce(${row}.execution_status, ''),
          ${row}.parent_conversation_id IS NOT NULL, coalesce(left(${row}.llm_model, 255), '')`;
}

const AMOUNTS = ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'cache_write_tokens'];

/** All rows of a set together. */
function summed(sign: '' | '-'): string {
  const amounts = AMOUNTS.map((amount) => `${sign}sum(c.${amount})`).join(', ');
  return `SELECT ${counted('c')}, ${sign}count(*), ${sign}sum(conversation_money(c.accumulated_cost)), ${amounts}`;
}

const COUNTING = `
  CREATE FUNCTION conversation_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT (at AT TIME ZONE 'UTC')::date $$;

  CREATE FUNCTION conversation_money(amount double precision) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN amount IN ('NaN', 'Infinity', '-Infinity') THEN 0 ELSE amount::numeric END $$;

  CREATE FUNCTION conversations_counted_in() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO conversation_count_deltas
        ${summed('')} FROM added c WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5;
      RETURN NULL;
    END $$;
  CREATE TRIGGER conversations_counted_in AFTER INSERT ON conversations
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION conversations_counted_in();

  CREATE FUNCTION conversations_counted_out() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO conversation_count_deltas
        ${summed('-')} FROM removed c WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5;
      RETURN NULL;
    END $$;
  CREATE TRIGGER conversations_counted_out AFTER DELETE ON conversations
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION conversations_counted_out();

  CREATE FUNCTION conversations_counted_anew() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (${counted('OLD')}) = (${counted('NEW')}) THEN
        INSERT INTO conversation_count_deltas VALUES (
          ${counted('NEW')}, 0,
          conversation_money(NEW.accumulated_cost) - conversation_money(OLD.accumulated_cost),
          ${AMOUNTS.map((amount) => `NEW.${amount}::numeric - OLD.${amount}`).join(', ')});
        RETURN NULL;
      END IF;
      IF OLD.deleted_at IS NULL THEN
        INSERT INTO conversation_count_deltas VALUES (
          ${counted('OLD')}, -1, -conversation_money(OLD.accumulated_cost),
          ${AMOUNTS.map((amount) => `-OLD.${amount}::numeric`).join(', ')});
      END IF;
      IF NEW.deleted_at IS NULL THEN
        INSERT INTO conversation_count_deltas VALUES (
          ${counted('NEW')}, 1, conversation_money(NEW.accumulated_cost),
          ${AMOUNTS.map((amount) => `NEW.${amount}`).join(', ')});
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER conversations_counted_anew AFTER UPDATE ON conversations FOR EACH ROW
    WHEN (
      ${[
        'org_id',
        'created_at',
        'deleted_at',
        'execution_status',
        'parent_conversation_id',
        'llm_model',
        'accumulated_cost',
        ...AMOUNTS,
      ]
        .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
        .join(' OR ')})
    EXECUTE FUNCTION conversations_counted_anew();

  CREATE FUNCTION conversations_counted_none() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      TRUNCATE conversation_counts, conversation_usage, conversation_count_deltas;
      RETURN NULL;
    END $$;
  CREATE TRIGGER conversations_counted_none AFTER TRUNCATE ON conversations
    FOR EACH STATEMENT EXECUTE FUNCTION conversations_counted_none();
`;

/** Adds changes to the counters, as few at a time as the caller says, and one caller at a time. */
const FOLDING = `
  CREATE FUNCTION conversation_counts_fold(most integer) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      folded integer;
      orgs uuid[];
    BEGIN
      IF NOT pg_try_advisory_xact_lock(7246002) THEN RETURN 0; END IF;
      WITH taken AS (
        DELETE FROM conversation_count_deltas
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversation_count_deltas LIMIT most))
        RETURNING *
      ), counts AS (
        INSERT INTO conversation_counts AS held
        SELECT t.org_id, d.day, t.execution_status, t.is_sub, sum(t.conversations)
          FROM taken t CROSS JOIN LATERAL (VALUES (t.day), ('-infinity'::date)) d (day)
         WHERE t.conversations <> 0
         GROUP BY 1, 2, 3, 4
        ON CONFLICT (org_id, day, execution_status, is_sub)
          DO UPDATE SET conversations = held.conversations + EXCLUDED.conversations
      ), usage AS (
        INSERT INTO conversation_usage AS held
        SELECT org_id, llm_model, sum(conversations), sum(accumulated_cost), sum(prompt_tokens),
               sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens)
          FROM taken GROUP BY 1, 2
        ON CONFLICT (org_id, llm_model) DO UPDATE SET
          conversations = held.conversations + EXCLUDED.conversations,
          accumulated_cost = held.accumulated_cost + EXCLUDED.accumulated_cost,
          ${AMOUNTS.map((amount) => `${amount} = held.${amount} + EXCLUDED.${amount}`).join(', ')}
      )
      SELECT count(*), array_agg(DISTINCT org_id) FILTER (WHERE conversations < 0) INTO folded, orgs FROM taken;
      IF orgs IS NOT NULL THEN
        DELETE FROM conversation_counts WHERE org_id = ANY (orgs) AND conversations = 0;
        DELETE FROM conversation_usage WHERE org_id = ANY (orgs) AND conversations = 0 AND accumulated_cost = 0
           AND ${AMOUNTS.map((amount) => `${amount} = 0`).join(' AND ')};
      END IF;
      RETURN folded;
    END $$;

  -- Whoever calls it while others write needs a snapshot from before: REPEATABLE READ, and the lock before it.
  CREATE FUNCTION conversation_counts_rebuild() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      total bigint;
    BEGIN
      DELETE FROM conversation_count_deltas;
      DELETE FROM conversation_counts;
      DELETE FROM conversation_usage;
      INSERT INTO conversation_counts
        SELECT c.org_id, d.day, coalesce(c.execution_status, ''), c.parent_conversation_id IS NOT NULL, count(*)
          FROM conversations c
         CROSS JOIN LATERAL (VALUES (conversation_day(c.created_at)), ('-infinity'::date)) d (day)
         WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4;
      INSERT INTO conversation_usage
        SELECT c.org_id, coalesce(left(c.llm_model, 255), ''), count(*), sum(conversation_money(c.accumulated_cost)),
               ${AMOUNTS.map((amount) => `sum(c.${amount})`).join(', ')}
          FROM conversations c WHERE c.deleted_at IS NULL GROUP BY 1, 2;
      SELECT coalesce(sum(u.conversations), 0) INTO total FROM conversation_usage u;
      RETURN total;
    END $$;
`;
