import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters of sandboxes, for the figures of an organization. In a transaction of its own: whoever held locks on
 * `conversations` as well could wait in a ring with a start of an older replica, which holds both.
 */
export class SandboxCounts20261121151600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
    `);
  }
}

/** As the status is shown (docs/contract.md#send-message-errors): one that is being stopped is PAUSED. */
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
