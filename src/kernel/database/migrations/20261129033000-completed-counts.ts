import type { QueryRunner } from 'typeorm';
import { ADVISORY_LOCKS } from '../schema/advisory-locks';
import type { CompatibleMigration } from '../schema/compatibility';

const TABLES = `
CREATE TABLE conversation_completed_counts (
  org_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  conversations bigint NOT NULL,
  PRIMARY KEY (org_id, hour)
);
COMMENT ON TABLE conversation_completed_counts
  IS 'conversations that have ended, by the hour of their last update, of the last 31 days';

CREATE TABLE conversation_completed_deltas (
  org_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  conversations bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX conversation_completed_deltas_org ON conversation_completed_deltas (org_id, hour);
COMMENT ON TABLE conversation_completed_deltas
  IS 'what has changed since conversation_completed_counts was last added to'`;

const PLACES = `
CREATE FUNCTION conversation_completed(execution_status text, deleted_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT deleted_at IS NULL AND coalesce(execution_status IN ('finished', 'error', 'stuck'), false)
$$;

CREATE FUNCTION conversation_hour(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT date_trunc('hour', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$`;

/** Rows that are only added, by whoever changes a conversation: nobody waits for anybody. */
const CHANGED = `
CREATE FUNCTION conversation_completed_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF conversation_completed(OLD.execution_status, OLD.deleted_at) THEN
      INSERT INTO conversation_completed_deltas VALUES (OLD.org_id, conversation_hour(OLD.updated_at), -1);
    END IF;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    IF conversation_completed(NEW.execution_status, NEW.deleted_at) THEN
      INSERT INTO conversation_completed_deltas VALUES (NEW.org_id, conversation_hour(NEW.updated_at), 1);
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION conversations_completed_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE conversation_completed_counts, conversation_completed_deltas;
  RETURN NULL;
END
$$`;

/** Most changes are of conversations that have not ended, and cost the condition alone. */
const TRIGGERS = `
CREATE TRIGGER conversations_completed_in AFTER INSERT ON conversations
  FOR EACH ROW WHEN (conversation_completed(new.execution_status, new.deleted_at))
  EXECUTE FUNCTION conversation_completed_changed();
CREATE TRIGGER conversations_completed_anew AFTER UPDATE ON conversations
  FOR EACH ROW
  WHEN ((conversation_completed(old.execution_status, old.deleted_at)
      OR conversation_completed(new.execution_status, new.deleted_at))
    AND (old.org_id IS DISTINCT FROM new.org_id
      OR conversation_hour(old.updated_at) IS DISTINCT FROM conversation_hour(new.updated_at)
      OR conversation_completed(old.execution_status, old.deleted_at)
        <> conversation_completed(new.execution_status, new.deleted_at)))
  EXECUTE FUNCTION conversation_completed_changed();
CREATE TRIGGER conversations_completed_out AFTER DELETE ON conversations
  FOR EACH ROW WHEN (conversation_completed(old.execution_status, old.deleted_at))
  EXECUTE FUNCTION conversation_completed_changed();
CREATE TRIGGER conversations_completed_none AFTER TRUNCATE ON conversations
  FOR EACH STATEMENT EXECUTE FUNCTION conversations_completed_none()`;

/** A day more than is asked for: the clock of the database may be ahead of that of the service. */
const KEPT_SINCE = `conversation_hour(now() - interval '31 days')`;

/** Hours that nobody asks for any more go when something changes in their organization. */
const FOLD = `
CREATE FUNCTION conversation_completed_fold(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  folded integer;
  orgs uuid[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.counts}) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM conversation_completed_deltas
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversation_completed_deltas LIMIT most))
    RETURNING *
  ), counts AS (
    INSERT INTO conversation_completed_counts AS held
    SELECT org_id, hour, sum(conversations) FROM taken
     WHERE hour >= ${KEPT_SINCE} GROUP BY 1, 2 HAVING sum(conversations) <> 0
    ON CONFLICT (org_id, hour) DO UPDATE SET conversations = held.conversations + EXCLUDED.conversations
  )
  SELECT count(*), array_agg(DISTINCT org_id) INTO folded, orgs FROM taken;
  DELETE FROM conversation_completed_counts WHERE org_id = ANY (orgs) AND hour < ${KEPT_SINCE};
  RETURN folded;
END
$$`;

const REBUILD = `
CREATE FUNCTION conversation_completed_rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_completed_deltas;
  DELETE FROM conversation_completed_counts;
  INSERT INTO conversation_completed_counts
    SELECT org_id, conversation_hour(updated_at), count(*) FROM conversations
     WHERE conversation_completed(execution_status, deleted_at) AND updated_at >= ${KEPT_SINCE} GROUP BY 1, 2;
END
$$`;

/** What no foreign key leads to, with these counters. */
const FORGOTTEN = `
CREATE OR REPLACE FUNCTION organization_forgotten(org uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7246002), pg_advisory_xact_lock(7246007);
  DELETE FROM conversation_count_deltas WHERE org_id = org;
  DELETE FROM conversation_counts WHERE org_id = org;
  DELETE FROM conversation_completed_deltas WHERE org_id = org;
  DELETE FROM conversation_completed_counts WHERE org_id = org;
  DELETE FROM conversation_usage WHERE org_id = org;
  DELETE FROM conversation_sandbox_changes WHERE org_id = org;
  DELETE FROM conversation_sandbox_counts WHERE org_id = org;
  DELETE FROM conversation_sandbox_statuses WHERE org_id = org;
  DELETE FROM sandbox_counts WHERE org_id = org;
  DELETE FROM usage_deltas WHERE org_id = org;
  DELETE FROM message_bytes WHERE owner_id = org;
  DELETE FROM stream_tickets WHERE subject = 'org_id ' || org;
  DELETE FROM idempotency_keys WHERE scope_id = org::text OR scope_id LIKE org || ':%';
  DELETE FROM request_counts c WHERE c.subject LIKE 'user ________-____-____-____-____________'
     AND NOT EXISTS (SELECT FROM users u WHERE u.id = substr(c.subject, 6)::uuid);
  DELETE FROM domain_events WHERE org_id = org;
  DELETE FROM domain_events_gone WHERE org_id = org;
  PERFORM jobs_about_removed(ARRAY[org]);
END $$`;

/** How many conversations have ended lately, kept by triggers and a job (docs/decisions/0010-counters-kept-by-the-database.md). */
export class CompletedCounts20261129033000 implements CompatibleMigration {
  /** Earlier builds write conversations, which triggers count, and read none of it. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    for (const part of [TABLES, PLACES, CHANGED, TRIGGERS, FOLD, REBUILD, FORGOTTEN])
      await runner.query(part);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
