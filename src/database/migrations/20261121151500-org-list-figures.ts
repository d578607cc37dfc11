import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns for the two sorts by text, because an index gives back columns only: with them, skipped rows of
 * these sorts are not read either. Fewer statements for a change that counters hear of. Counters of sandboxes,
 * for the figures of an organization.
 */
export class OrgListFigures20261121151500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SORT_TEXTS);
    await runner.query(COUNTED_ANEW);
    await runner.query(SANDBOX_COUNTS);
    await runner.query('SELECT sandbox_counts_rebuild()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER sandboxes_counted_in ON sandboxes;
      DROP TRIGGER sandboxes_counted_out ON sandboxes;
      DROP TRIGGER sandboxes_counted_anew ON sandboxes;
      DROP TRIGGER sandboxes_counted_none ON sandboxes;
      DROP FUNCTION sandboxes_counted_in, sandboxes_counted_out, sandboxes_counted_anew, sandboxes_counted_none,
                    sandbox_counts_fold, sandbox_counts_rebuild;
      DROP TABLE sandbox_counts;
      DROP TRIGGER conversations_sort_texts ON conversations;
      DROP FUNCTION conversations_sort_texts;
      ALTER TABLE conversations DROP COLUMN sort_title, DROP COLUMN sort_model;
      CREATE INDEX conversations_org_model ON conversations (org_id, (left(llm_model, 255)) COLLATE "C", id)
        WHERE deleted_at IS NULL;
      CREATE INDEX conversations_org_title ON conversations (org_id, (left(lower(title), 255)) COLLATE "C", id)
        WHERE deleted_at IS NULL;
    `);
  }
}

/** Filled while the table is written anew, which takes a fraction of an update; kept by a trigger from then on. */
const SORT_TEXTS = `
  DROP INDEX conversations_org_title, conversations_org_model;
  ALTER TABLE conversations
    ADD COLUMN sort_title text COLLATE "C" GENERATED ALWAYS AS (left(lower(title), 255)) STORED,
    ADD COLUMN sort_model text COLLATE "C" GENERATED ALWAYS AS (left(llm_model, 255)) STORED;
  ALTER TABLE conversations
    ALTER COLUMN sort_title DROP EXPRESSION,
    ALTER COLUMN sort_model DROP EXPRESSION;
  COMMENT ON COLUMN conversations.sort_title IS 'the beginning of the title in lower case, kept by a trigger';
  COMMENT ON COLUMN conversations.sort_model IS 'the beginning of the model, kept by a trigger';

  CREATE FUNCTION conversations_sort_texts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.sort_title := left(lower(NEW.title), 255);
      NEW.sort_model := left(NEW.llm_model, 255);
      RETURN NEW;
    END $$;
  CREATE TRIGGER conversations_sort_texts BEFORE INSERT OR UPDATE OF title, llm_model ON conversations
    FOR EACH ROW EXECUTE FUNCTION conversations_sort_texts();

  CREATE INDEX conversations_org_title ON conversations (org_id, sort_title, id)
    INCLUDE (execution_status, parent_conversation_id, created_at) WHERE deleted_at IS NULL;
  CREATE INDEX conversations_org_model ON conversations (org_id, sort_model, id)
    INCLUDE (execution_status, parent_conversation_id, created_at) WHERE deleted_at IS NULL;
`;

const AMOUNTS = ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'cache_write_tokens'];
const KEYS = ['org_id', 'created_at', 'execution_status', 'parent_conversation_id', 'llm_model'];

/** A stored conversation as a change of the counters. */
function change(row: 'OLD' | 'NEW', sign: '' | '-'): string {
  return `(${row}.org_id, conversation_day(${row}.created_at), coalesce(${row}.execution_status, ''),
           ${row}.parent_conversation_id IS NOT NULL, coalesce(left(${row}.llm_model, 255), ''), ${sign}1,
           ${sign}conversation_money(${row}.accumulated_cost),
           ${AMOUNTS.map((amount) => `${sign}${row}.${amount}::numeric`).join(', ')})`;
}

/** As before, by one statement for every change, and looking at columns instead of what they are counted by. */
const COUNTED_ANEW = `
  CREATE OR REPLACE FUNCTION conversations_counted_anew() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL THEN
        IF ${KEYS.map((key) => `OLD.${key} IS NOT DISTINCT FROM NEW.${key}`).join(' AND ')} THEN
          INSERT INTO conversation_count_deltas VALUES (
            NEW.org_id, conversation_day(NEW.created_at), coalesce(NEW.execution_status, ''),
            NEW.parent_conversation_id IS NOT NULL, coalesce(left(NEW.llm_model, 255), ''), 0,
            conversation_money(NEW.accumulated_cost) - conversation_money(OLD.accumulated_cost),
            ${AMOUNTS.map((amount) => `NEW.${amount}::numeric - OLD.${amount}`).join(', ')});
        ELSE
          INSERT INTO conversation_count_deltas VALUES ${change('OLD', '-')}, ${change('NEW', '')};
        END IF;
      ELSIF OLD.deleted_at IS NULL THEN
        INSERT INTO conversation_count_deltas VALUES ${change('OLD', '-')};
      ELSIF NEW.deleted_at IS NULL THEN
        INSERT INTO conversation_count_deltas VALUES ${change('NEW', '')};
      END IF;
      RETURN NULL;
    END $$;
`;

/** As the status is shown (decisions 10): one that is being stopped is PAUSED. */
function shown(row: string): string {
  return `CASE WHEN ${row}.stopping IS NULL THEN ${row}.status ELSE 'PAUSED' END`;
}

/**
 * Rows of one status add up; writers only insert, and folding makes them one. Changes of sandboxes are few,
 * so that counters and changes can be one table.
 */
const SANDBOX_COUNTS = `
  CREATE TABLE sandbox_counts (
    org_id uuid NOT NULL,
    status text NOT NULL,
    sandboxes bigint NOT NULL
  );
  CREATE INDEX sandbox_counts_org ON sandbox_counts (org_id, status);

  CREATE FUNCTION sandboxes_counted_in() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sandbox_counts SELECT s.org_id, ${shown('s')}, count(*) FROM added s GROUP BY 1, 2;
      RETURN NULL;
    END $$;
  CREATE TRIGGER sandboxes_counted_in AFTER INSERT ON sandboxes
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sandboxes_counted_in();

  CREATE FUNCTION sandboxes_counted_out() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sandbox_counts SELECT s.org_id, ${shown('s')}, -count(*) FROM removed s GROUP BY 1, 2;
      RETURN NULL;
    END $$;
  CREATE TRIGGER sandboxes_counted_out AFTER DELETE ON sandboxes
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sandboxes_counted_out();

  CREATE FUNCTION sandboxes_counted_anew() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO sandbox_counts VALUES (OLD.org_id, ${shown('OLD')}, -1), (NEW.org_id, ${shown('NEW')}, 1);
      RETURN NULL;
    END $$;
  CREATE TRIGGER sandboxes_counted_anew AFTER UPDATE ON sandboxes FOR EACH ROW
    WHEN (OLD.org_id <> NEW.org_id OR ${shown('OLD')} <> ${shown('NEW')})
    EXECUTE FUNCTION sandboxes_counted_anew();

  CREATE FUNCTION sandboxes_counted_none() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      TRUNCATE sandbox_counts;
      RETURN NULL;
    END $$;
  CREATE TRIGGER sandboxes_counted_none AFTER TRUNCATE ON sandboxes
    FOR EACH STATEMENT EXECUTE FUNCTION sandboxes_counted_none();

  -- Under the lock of conversation_counts_fold, so that one folds and nobody rebuilds meanwhile.
  CREATE FUNCTION sandbox_counts_fold() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock(7246002) THEN RETURN; END IF;
      WITH several AS (
        SELECT org_id, status FROM sandbox_counts GROUP BY 1, 2 HAVING count(*) > 1
      ), taken AS (
        DELETE FROM sandbox_counts c USING several s WHERE c.org_id = s.org_id AND c.status = s.status
        RETURNING c.*
      )
      INSERT INTO sandbox_counts
        SELECT org_id, status, sum(sandboxes) FROM taken GROUP BY 1, 2 HAVING sum(sandboxes) <> 0;
    END $$;

  -- To be called as conversation_counts_rebuild is.
  CREATE FUNCTION sandbox_counts_rebuild() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM sandbox_counts;
      INSERT INTO sandbox_counts SELECT s.org_id, ${shown('s')}, count(*) FROM sandboxes s GROUP BY 1, 2;
    END $$;
`;
