import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const TABLES = `
CREATE TABLE conversation_sandbox_statuses (
  conversation_id uuid PRIMARY KEY,
  org_id uuid NOT NULL,
  status text NOT NULL,
  is_sub boolean NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX conversation_sandbox_statuses_created
  ON conversation_sandbox_statuses (org_id, status, created_at, conversation_id) INCLUDE (is_sub);
COMMENT ON TABLE conversation_sandbox_statuses
  IS 'what each conversation showed of its sandbox before what conversation_sandbox_changes has';

CREATE TABLE conversation_sandbox_counts (
  org_id uuid NOT NULL,
  status text NOT NULL,
  is_sub boolean NOT NULL,
  conversations bigint NOT NULL,
  PRIMARY KEY (org_id, status, is_sub)
);
COMMENT ON TABLE conversation_sandbox_counts IS 'how many rows conversation_sandbox_statuses has of each';

CREATE TABLE conversation_sandbox_changes (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  is_sandbox boolean NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX conversation_sandbox_changes_org ON conversation_sandbox_changes (org_id) WHERE NOT is_sandbox;
CREATE INDEX conversation_sandbox_changes_sandbox ON conversation_sandbox_changes (id) WHERE is_sandbox;
COMMENT ON TABLE conversation_sandbox_changes
  IS 'conversations, and sandboxes, of which something changed that conversations show of their sandboxes'`;

const SHOWN = `
CREATE FUNCTION shown_sandbox_status(
  start_state text, sandbox_id uuid, found_id uuid, status text, stopping text
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE
  WHEN found_id IS NULL AND sandbox_id IS NOT NULL THEN 'MISSING'
  WHEN found_id IS NULL AND start_state = 'failed' THEN 'ERROR'
  WHEN found_id IS NULL THEN 'STARTING'
  WHEN start_state = 'starting' AND status IN ('RUNNING', 'PAUSED') THEN 'STARTING'
  WHEN stopping IS NOT NULL THEN 'PAUSED'
  ELSE status
END
$$`;

/** It reads nothing: what another transaction does at the same time to the other table says itself what it changed. */
const CHANGED = `
CREATE FUNCTION conversation_sandbox_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO conversation_sandbox_changes VALUES (OLD.org_id, OLD.id, TG_ARGV[0]::boolean);
    RETURN NULL;
  END IF;
  INSERT INTO conversation_sandbox_changes VALUES (NEW.org_id, NEW.id, TG_ARGV[0]::boolean);
  IF TG_OP = 'UPDATE' AND OLD.org_id <> NEW.org_id THEN
    INSERT INTO conversation_sandbox_changes VALUES (OLD.org_id, OLD.id, TG_ARGV[0]::boolean);
  END IF;
  RETURN NULL;
END
$$`;

const EMPTIED = `
CREATE FUNCTION conversation_sandbox_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE conversation_sandbox_statuses, conversation_sandbox_counts, conversation_sandbox_changes;
  RETURN NULL;
END
$$;

CREATE FUNCTION sandboxes_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversation_sandbox_changes SELECT c.org_id, c.id, false FROM conversations c WHERE c.sandbox_id IS NOT NULL;
  RETURN NULL;
END
$$`;

/** Sandboxes first: each trigger locks its table against writers, who begin with sandboxes. */
const TRIGGERS = `
CREATE TRIGGER sandboxes_conversations_changed AFTER INSERT OR DELETE ON sandboxes
  FOR EACH ROW EXECUTE FUNCTION conversation_sandbox_changed('true');
CREATE TRIGGER sandboxes_conversations_changed_anew AFTER UPDATE ON sandboxes
  FOR EACH ROW
  WHEN (old.status IS DISTINCT FROM new.status
    OR old.stopping IS DISTINCT FROM new.stopping)
  EXECUTE FUNCTION conversation_sandbox_changed('true');
CREATE TRIGGER sandboxes_emptied AFTER TRUNCATE ON sandboxes
  FOR EACH STATEMENT EXECUTE FUNCTION sandboxes_emptied();
CREATE TRIGGER conversations_sandbox_changed AFTER INSERT OR DELETE ON conversations
  FOR EACH ROW EXECUTE FUNCTION conversation_sandbox_changed('false');
CREATE TRIGGER conversations_sandbox_changed_anew AFTER UPDATE ON conversations
  FOR EACH ROW
  WHEN (old.org_id IS DISTINCT FROM new.org_id
    OR old.created_at IS DISTINCT FROM new.created_at
    OR old.deleted_at IS DISTINCT FROM new.deleted_at
    OR old.parent_conversation_id IS DISTINCT FROM new.parent_conversation_id
    OR old.sandbox_id IS DISTINCT FROM new.sandbox_id
    OR old.start_state IS DISTINCT FROM new.start_state)
  EXECUTE FUNCTION conversation_sandbox_changed('false');
CREATE TRIGGER conversations_sandbox_emptied AFTER TRUNCATE ON conversations
  FOR EACH STATEMENT EXECUTE FUNCTION conversation_sandbox_emptied()`;

/**
 * One statement, so that all of it is of one moment: whoever commits after that has left a change that it does not see, and
 * leaves.
 */
const FOLD = `
CREATE FUNCTION conversation_sandbox_fold(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7246002) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM conversation_sandbox_changes
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversation_sandbox_changes LIMIT most))
    RETURNING id, is_sandbox
  ), changed AS MATERIALIZED (
    SELECT id FROM taken WHERE NOT is_sandbox
    UNION SELECT c.id FROM taken t JOIN conversations c ON c.sandbox_id = t.id WHERE t.is_sandbox
  ), shown AS MATERIALIZED (
    SELECT c.id, c.org_id, c.parent_conversation_id IS NOT NULL AS is_sub, c.created_at,
           shown_sandbox_status(c.start_state, c.sandbox_id, s.id, s.status, s.stopping) AS status
      FROM changed h JOIN conversations c ON c.id = h.id LEFT JOIN sandboxes s ON s.id = c.sandbox_id
     WHERE c.deleted_at IS NULL
  ), held AS MATERIALIZED (
    SELECT r.* FROM changed h JOIN conversation_sandbox_statuses r ON r.conversation_id = h.id
  ), gone AS (
    DELETE FROM conversation_sandbox_statuses r USING held h
     WHERE r.conversation_id = h.conversation_id AND h.conversation_id NOT IN (SELECT id FROM shown)
  ), written AS (
    INSERT INTO conversation_sandbox_statuses AS r (conversation_id, org_id, status, is_sub, created_at)
    SELECT id, org_id, status, is_sub, created_at FROM shown
    ON CONFLICT (conversation_id) DO UPDATE SET
      org_id = EXCLUDED.org_id, status = EXCLUDED.status, is_sub = EXCLUDED.is_sub, created_at = EXCLUDED.created_at
    WHERE (r.org_id, r.status, r.is_sub, r.created_at)
      IS DISTINCT FROM (EXCLUDED.org_id, EXCLUDED.status, EXCLUDED.is_sub, EXCLUDED.created_at)
  ), counts AS (
    INSERT INTO conversation_sandbox_counts AS n (org_id, status, is_sub, conversations)
    SELECT org_id, status, is_sub, sum(added) FROM (
      SELECT org_id, status, is_sub, 1 AS added FROM shown
      UNION ALL SELECT org_id, status, is_sub, -1 FROM held) d
     GROUP BY 1, 2, 3 HAVING sum(added) <> 0
    ON CONFLICT (org_id, status, is_sub) DO UPDATE SET conversations = n.conversations + EXCLUDED.conversations
  )
  SELECT count(*) INTO folded FROM taken;
  DELETE FROM conversation_sandbox_counts WHERE conversations = 0;
  RETURN folded;
END
$$`;

const REBUILD = `
CREATE FUNCTION conversation_sandbox_rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_sandbox_changes;
  DELETE FROM conversation_sandbox_counts;
  DELETE FROM conversation_sandbox_statuses;
  INSERT INTO conversation_sandbox_changes
    SELECT c.org_id, c.id, false FROM conversations c WHERE c.deleted_at IS NULL;
END
$$`;

/** Totals of conversations by what they show of their sandboxes (docs/decisions/0053-totals-by-sandbox-status.md). */
export class SandboxStatusTotals20261128200500 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    for (const statement of [TABLES, SHOWN, CHANGED, EMPTIED, TRIGGERS, FOLD, REBUILD])
      await runner.query(statement);
    await runner.query(`COMMENT ON FUNCTION conversation_sandbox_fold
      IS 'writes what conversations show now of the sandboxes that changed; returns how many changes those were'`);
    await runner.query(`COMMENT ON FUNCTION conversation_sandbox_rebuild
      IS 'notes every conversation as changed, for folds to count anew'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
