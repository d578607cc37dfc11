import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const COLUMNS = `
ALTER TABLE organizations ADD COLUMN ending_at timestamptz(3), ADD COLUMN ending_by_user_id uuid;
ALTER TABLE idempotency_keys ADD COLUMN scope_id text,
  ADD CONSTRAINT scope_id_length CHECK (char_length(scope_id) <= 200)`;

/** For builds too that know nothing of it: whoever adds a row waits for the end of the organization to be decided. */
const REFUSE = `
CREATE FUNCTION organization_lets_in() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ends timestamptz;
BEGIN
  SELECT ending_at INTO ends FROM organizations WHERE id = NEW.org_id FOR KEY SHARE;
  IF ends IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_TABLE_NAME || '_org_id_fkey',
      MESSAGE = 'the organization is being deleted';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER org_members_let_in BEFORE INSERT ON org_members
  FOR EACH ROW EXECUTE FUNCTION organization_lets_in();
CREATE TRIGGER conversations_let_in BEFORE INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION organization_lets_in();
CREATE TRIGGER sandboxes_let_in BEFORE INSERT ON sandboxes
  FOR EACH ROW EXECUTE FUNCTION organization_lets_in()`;

/** Shuts an organization whose row the transaction has locked: what lets anybody in goes. */
const SHUT = `
CREATE FUNCTION organization_shut(org uuid, by_user uuid) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz;
BEGIN
  UPDATE organizations SET ending_at = now(), ending_by_user_id = by_user WHERE id = org RETURNING ending_at INTO at;
  UPDATE webhooks SET enabled = false, disabled_reason = 'by_request', disabled_at = now()
   WHERE org_id = org AND enabled;
  DELETE FROM stream_tickets WHERE subject = 'org_id ' || org;
  DELETE FROM api_keys WHERE org_id = org OR user_id IN (SELECT id FROM users WHERE confined_to_org_id = org);
  DELETE FROM identity_providers WHERE org_id = org;
  DELETE FROM identity_domains WHERE org_id = org;
  DELETE FROM request_counts WHERE subject IN (SELECT 'directory ' || id FROM scim_tokens WHERE org_id = org);
  DELETE FROM scim_tokens WHERE org_id = org;
  DELETE FROM invitations WHERE org_id = org;
  DELETE FROM sign_in_proofs WHERE org_id = org;
  DELETE FROM org_members WHERE org_id = org;
  RETURN at;
END $$`;

/** Completes jobs that are about something with one of these ids, and do not run. */
const JOBS = `
CREATE FUNCTION jobs_about_removed(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.complete_jobs(ARRAY(
    SELECT j.id FROM graphile_worker._private_jobs j
     WHERE j.locked_at IS NULL AND EXISTS (
       SELECT FROM regexp_matches(coalesce(j.key, '') || ' ' || j.payload,
                                  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') m
        WHERE m[1]::uuid = ANY (ids))));
END $$`;

/**
 * Removes some rows of what an organization may have many of; its sandboxes are gone before.
 * false: there may be more. What follows from its conversations is theirs: their events go in parts before them.
 */
const EMPTIED = `
CREATE FUNCTION organization_emptied(org uuid, most integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM conversations WHERE org_id = org AND deleted_at IS NULL
                       ORDER BY created_at, id LIMIT greatest(1, most / 10));
  parts uuid[];
  gone integer;
BEGIN
  IF cardinality(ids) = 0 THEN
    ids := ARRAY(SELECT id FROM conversations WHERE org_id = org LIMIT greatest(1, most / 10));
  END IF;
  IF cardinality(ids) > 0 THEN
    DELETE FROM events e USING (
      SELECT conversation_id, id FROM events WHERE conversation_id = ANY (ids) LIMIT most) f
     WHERE e.conversation_id = f.conversation_id AND e.id = f.id;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone = most THEN RETURN false; END IF;
    parts := ARRAY(SELECT id FROM message_queues WHERE conversation_id = ANY (ids)
                   UNION ALL SELECT id FROM start_tasks WHERE conversation_id = ANY (ids));
    PERFORM jobs_about_removed(ids || parts);
    DELETE FROM stream_tickets WHERE subject = ANY (ARRAY(SELECT 'conversation_id ' || i FROM unnest(ids) i));
    DELETE FROM idempotency_keys
     WHERE user_id IN (SELECT created_by_user_id FROM conversations WHERE id = ANY (ids))
       AND scope_id = ANY (ids::text[]);
    DELETE FROM conversations WHERE id = ANY (ids);
    RETURN false;
  END IF;
  parts := ARRAY(SELECT id FROM message_queues WHERE org_id = org LIMIT most);
  PERFORM jobs_about_removed(parts);
  DELETE FROM message_queues WHERE id = ANY (parts);
  IF cardinality(parts) = most THEN RETURN false; END IF;
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE w.org_id = org LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone = most THEN RETURN false; END IF;
  DELETE FROM domain_events WHERE id IN (
    (SELECT id FROM domain_events WHERE org_id = org AND position IS NOT NULL LIMIT most)
    UNION ALL (SELECT id FROM domain_events WHERE org_id = org AND position IS NULL LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone >= most THEN RETURN false; END IF;
  DELETE FROM usage_by_day WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_by_day WHERE org_id = org LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone < most;
END $$`;

/** Whether agent servers that others share still have conversations of an organization. */
const TOLD = `
CREATE FUNCTION organization_told(org uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT FROM conversation_removals r JOIN sandboxes s ON s.id = r.sandbox_id WHERE s.org_id = org)
$$`;

/** What no foreign key leads to. Folds of counters are kept away, which would add what they have read. */
const FORGOTTEN = `
CREATE FUNCTION organization_forgotten(org uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7246002), pg_advisory_xact_lock(7246007);
  DELETE FROM conversation_count_deltas WHERE org_id = org;
  DELETE FROM conversation_counts WHERE org_id = org;
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

/** The end: the row of the organization, all that refers to it, and what no foreign key leads to. */
const REMOVED = `
CREATE FUNCTION organization_removed(org uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  people uuid[];
  machines uuid[];
BEGIN
  PERFORM 1 FROM organizations WHERE id = org AND ending_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM sandboxes WHERE org_id = org AND status <> 'MISSING') THEN RETURN false; END IF;
  people := ARRAY(SELECT id FROM users WHERE confined_to_org_id = org);
  machines := ARRAY(SELECT id FROM sandboxes WHERE org_id = org);
  PERFORM jobs_about_removed(people || machines || ARRAY(SELECT id FROM webhooks WHERE org_id = org));
  DELETE FROM conversation_removals WHERE sandbox_id = ANY (machines);
  DELETE FROM request_counts WHERE subject = ANY (ARRAY(SELECT i::text FROM unnest(people || machines) i))
                                OR subject = ANY (ARRAY(SELECT 'user ' || i FROM unnest(people) i));
  DELETE FROM device_code_tries t USING unnest(people) i WHERE position(i::text IN t.subject) > 0;
  DELETE FROM message_bytes WHERE owner_id = ANY (people);
  DELETE FROM organizations WHERE id = org;
  PERFORM organization_forgotten(org);
  RETURN true;
END $$`;

/** An organization can be deleted: what refuses new rows meanwhile, and functions that remove what it has. */
export class OrganizationEnds20261129026000 implements CompatibleMigration {
  /** Builds before this one let nobody in either: the database refuses it to them. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    for (const part of [COLUMNS, REFUSE, SHUT, JOBS, EMPTIED, TOLD, FORGOTTEN, REMOVED])
      await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      DROP FUNCTION organization_removed, organization_forgotten, organization_told, organization_emptied,
        jobs_about_removed, organization_shut;
      DROP FUNCTION organization_lets_in CASCADE;
      ALTER TABLE idempotency_keys DROP COLUMN scope_id;
      ALTER TABLE organizations DROP COLUMN ending_at, DROP COLUMN ending_by_user_id`);
  }
}
