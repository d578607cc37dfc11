import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What a record has after a report, from the row `c` as it is. */
const REPORTED = `
  SELECT
    coalesce(new_status, c.execution_status) AS execution_status,
    CASE WHEN new_title IN (c.reported_title, c.forwarded_title) THEN c.title ELSE coalesce(new_title, c.title) END
      AS title,
    coalesce(new_title, c.reported_title) AS reported_title,
    coalesce(new_model, c.llm_model) AS llm_model,
    coalesce(new_agent_kind, c.agent_kind) AS agent_kind,
    greatest(c.accumulated_cost, cost) AS accumulated_cost,
    greatest(c.prompt_tokens, prompt) AS prompt_tokens,
    greatest(c.completion_tokens, completion) AS completion_tokens,
    greatest(c.cache_read_tokens, cache_read) AS cache_read_tokens,
    greatest(c.cache_write_tokens, cache_write) AS cache_write_tokens,
    greatest(c.reasoning_tokens, reasoning) AS reasoning_tokens,
    greatest(c.context_window, of_context) AS context_window,
    coalesce(nullif(per_turn, 0), c.per_turn_tokens) AS per_turn_tokens`;

/** The columns of a report that clients see. */
const SHOWN = [
  'execution_status',
  'title',
  'llm_model',
  'agent_kind',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'context_window',
  'per_turn_tokens',
];

const columnsOf = (table: string): string => SHOWN.map((column) => `${table}.${column}`).join(', ');

/**
 * It reads the row that it updates and no other: reading it by a join, once more and locked, makes reports that come at
 * the same time deadlock, for a lock of a version of a row is no lock of the versions before it.
 */
const APPLY_REPORT = `
CREATE FUNCTION apply_report(
  conversation uuid, new_status text, new_title text, new_model text, new_agent_kind text, cost double precision,
  prompt bigint, completion bigint, cache_read bigint, cache_write bigint, reasoning bigint, of_context bigint,
  per_turn bigint, has_events boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations c SET
    (${SHOWN.join(', ')}, reported_title, updated_at) = (
      SELECT ${columnsOf('r')}, r.reported_title,
             CASE WHEN has_events OR (${columnsOf('c')}) IS DISTINCT FROM (${columnsOf('r')})
                  THEN greatest(now(), c.updated_at) ELSE c.updated_at END
        FROM (${REPORTED}) r)
   WHERE c.id = conversation AND c.deleted_at IS NULL
     AND (has_events OR EXISTS (
       SELECT 1 FROM (${REPORTED}) r
        WHERE (${columnsOf('c')}, c.reported_title) IS DISTINCT FROM (${columnsOf('r')}, r.reported_title)));
  RETURN FOUND;
END
$$`;

/**
 * One row after the other: whoever locks several of them does so in the order of their ids. It waits for nobody, for what it
 * has locked others would wait with it.
 */
const TOUCH_CONVERSATIONS = `
CREATE FUNCTION touch_conversations(ids uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  touched uuid;
BEGIN
  FOR touched IN SELECT DISTINCT id FROM unnest(ids) AS id ORDER BY id LOOP
    PERFORM FROM conversations c WHERE c.id = touched AND c.deleted_at IS NULL FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE conversations c SET updated_at = greatest(clock_timestamp(), c.updated_at) WHERE c.id = touched;
    ELSIF EXISTS (SELECT FROM conversations c WHERE c.id = touched AND c.deleted_at IS NULL) THEN
      RETURN NEXT touched;
    END IF;
  END LOOP;
END
$$`;

/** What is logged of an agent's event. */
const AGENT_EVENT = `
CREATE FUNCTION agent_event(org uuid, conversation uuid, id text, kind text, occurred_at timestamptz) RETURNS json
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT json_build_object(
  'kind', 'event.received', 'org_id', org, 'conversation_id', conversation, 'event_id', id, 'event_kind', kind,
  'occurred_at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$`;

/** As before, but for what `take_events` stores, which logs it itself: with the values at hand it costs a third. */
const LOG_AGENT_EVENTS = `
CREATE OR REPLACE FUNCTION log_agent_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
  noted text;
BEGIN
  IF current_setting('domain_events.by_writer', true) = 'on' THEN RETURN NULL; END IF;
  WITH logged AS (
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    SELECT l.org_id, e.conversation_id, 'event.received',
           agent_event(l.org_id, e.conversation_id, e.id, e.kind, e.occurred_at)
      FROM added e JOIN event_logs l ON l.conversation_id = e.conversation_id
     ORDER BY e.conversation_id, e.seq
    RETURNING id
  )
  SELECT string_agg(id::text, ',') INTO ids FROM logged;
  noted := note_logged(ids);
  RETURN NULL;
END
$$`;

/**
 * Events go with the log that numbers them, in place of a foreign key that looks at the conversation for every event. They
 * are added under the lock of that log, so that none comes after this.
 */
const EVENT_LOGS_REMOVED = `
CREATE OR REPLACE FUNCTION event_logs_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM events WHERE conversation_id = OLD.conversation_id;
  UPDATE event_bytes SET bytes = bytes - OLD.bytes
   WHERE org_id = OLD.org_id AND part = event_bytes_part(OLD.conversation_id);
  RETURN NULL;
END
$$`;

/** Nothing is deleted one by one then. */
const EVENT_LOGS_EMPTIED = `
CREATE FUNCTION event_logs_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE events, event_bytes;
  RETURN NULL;
END
$$`;

/** Counts bytes of events of an organization in one of its parts. */
const ADD_EVENT_BYTES = `
CREATE FUNCTION add_event_bytes(org uuid, in_part smallint, added bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_bytes b SET bytes = b.bytes + added WHERE b.org_id = org AND b.part = in_part;
  IF NOT FOUND THEN
    INSERT INTO event_bytes AS b (org_id, part, bytes) VALUES (org, in_part, added)
    ON CONFLICT (org_id, part) DO UPDATE SET bytes = b.bytes + excluded.bytes;
  END IF;
END
$$`;

/**
 * Calls come in the order of their conversations, and counters are written behind them in an order of their own: what
 * several such statements lock, they lock in the same order. The numbers of a log and the events of a call are given back
 * together where one of the ids is there already: a look at the table before would lock all of its partitions. Where others
 * wait behind the statement, nothing is done for a call whose log is locked, and no lock is waited for longer than a
 * moment: no call waits for the conversation of another.
 */
const TAKE_EVENTS = `
CREATE FUNCTION take_events(
  conversations uuid[], of_sandboxes uuid[], of_orgs uuid[], shared_drivers text[], counts integer[], sizes bigint[],
  ids text[], kinds text[], times timestamptz[], payloads text[],
  most_of_conversation bigint, far_orgs uuid[], far_of_org bigint, is_heard boolean, makes_way boolean
) RETURNS TABLE (call integer, sandbox uuid, org uuid) LANGUAGE plpgsql AS $$
DECLARE
  conversation uuid;
  first integer;
  last integer := 0;
  last_seq_before bigint;
  taken integer[];
  orgs uuid[];
BEGIN
  IF makes_way THEN PERFORM set_config('lock_timeout', '250ms', true); END IF;
  FOR n IN 1..cardinality(conversations) LOOP
    conversation := conversations[n];
    first := last + 1;
    last := last + counts[n];
    SELECT c.sandbox_id, c.org_id INTO sandbox, org FROM conversations c
     WHERE c.id = conversation AND c.deleted_at IS NULL AND c.start_state <> 'failed';
    CONTINUE WHEN NOT FOUND;
    IF of_sandboxes[n] IS NULL THEN
      CONTINUE WHEN of_orgs[n] <> org OR NOT EXISTS (
        SELECT 1 FROM sandboxes s WHERE s.id = sandbox AND s.driver = ANY (shared_drivers));
    ELSE
      CONTINUE WHEN of_sandboxes[n] IS DISTINCT FROM sandbox;
    END IF;
    IF org <> ALL (far_orgs) THEN
      CONTINUE WHEN (SELECT coalesce(sum(b.bytes), 0) > far_of_org FROM event_bytes b WHERE b.org_id = org);
    END IF;
    IF makes_way THEN
      PERFORM FROM event_logs l WHERE l.conversation_id = conversation FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
    END IF;
    BEGIN
      UPDATE event_logs l SET last_seq = l.last_seq + counts[n], bytes = l.bytes + sizes[n]
       WHERE l.conversation_id = conversation AND l.org_id = org AND l.bytes + sizes[n] <= most_of_conversation
      RETURNING l.last_seq - counts[n] INTO last_seq_before;
      CONTINUE WHEN NOT FOUND;
      PERFORM set_config('domain_events.by_writer', CASE WHEN is_heard THEN 'off' ELSE 'on' END, true);
      INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
      SELECT conversation, e.id, last_seq_before + e.n, e.kind, e.occurred_at, e.payload
        FROM unnest(ids[first:last], kinds[first:last], times[first:last], payloads[first:last])
             WITH ORDINALITY AS e (id, kind, occurred_at, payload, n);
      PERFORM set_config('domain_events.by_writer', 'off', true);
    EXCEPTION WHEN unique_violation THEN CONTINUE;
    END;
    IF NOT is_heard THEN
      INSERT INTO domain_events (org_id, conversation_id, kind, event)
      SELECT org, conversation, 'event.received', agent_event(org, conversation, e.id, e.kind, e.occurred_at)
        FROM unnest(ids[first:last], kinds[first:last], times[first:last]) AS e (id, kind, occurred_at);
    END IF;
    taken := taken || n;
    orgs := orgs || org;
    call := n;
    RETURN NEXT;
  END LOOP;
  IF cardinality(taken) = 1 THEN
    PERFORM add_event_bytes(orgs[1], event_bytes_part(conversations[taken[1]]), sizes[taken[1]]);
  ELSE
    PERFORM add_event_bytes(c.org, c.part, c.added) FROM (
      SELECT t.org, event_bytes_part(conversations[t.n]) AS part, sum(sizes[t.n])::bigint AS added
        FROM unnest(taken, orgs) AS t (n, org) GROUP BY 1, 2 ORDER BY 1, 2) c;
  END IF;
END
$$`;

/** The functions by which the calls of agent servers are taken: their statements are planned once for a connection. */
export class TakeEvents20261128180000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(APPLY_REPORT);
    await runner.query(`COMMENT ON FUNCTION apply_report
      IS 'writes what an agent server reports of a conversation; true if anything is written'`);
    await runner.query(TOUCH_CONVERSATIONS);
    await runner.query(`COMMENT ON FUNCTION touch_conversations
      IS 'moves updated_at of conversations that had new events; returns those that others have locked'`);
    await runner.query(AGENT_EVENT);
    await runner.query(LOG_AGENT_EVENTS);
    await runner.query(EVENT_LOGS_REMOVED);
    await runner.query(EVENT_LOGS_EMPTIED);
    await runner.query(`CREATE TRIGGER event_logs_emptied AFTER TRUNCATE ON event_logs
      FOR EACH STATEMENT EXECUTE FUNCTION event_logs_emptied()`);
    await runner.query('ALTER TABLE events DROP CONSTRAINT events_conversation_id_fkey');
    await runner.query(ADD_EVENT_BYTES);
    await runner.query(TAKE_EVENTS);
    await runner.query(`COMMENT ON FUNCTION take_events
      IS 'stores the events of calls whose caller may and whose events are all new; nothing, and no row, of other calls'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
