import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const KINDS = ['events', 'conversations', 'messages', 'deliveries', 'archives'];

const TABLES = `
CREATE TABLE org_retention (
  org_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  ${KINDS.map((kind) => `${kind}_days integer`).join(',\n  ')},
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  ${KINDS.map((kind) => `CONSTRAINT org_retention_${kind} CHECK (${kind}_days BETWEEN 1 AND 36500)`).join(',\n  ')}
);

CREATE TABLE retention_runs (
  org_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  fence bigint NOT NULL,
  claimed_until timestamptz(3),
  removed jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT removed_bytes CHECK (octet_length(removed::text) <= 10000)
) WITH (fillfactor = 50);
CREATE TRIGGER audit_noted AFTER INSERT OR DELETE OR UPDATE ON org_retention
  FOR EACH ROW EXECUTE FUNCTION audit_noted('org_id', '${KINDS.map((kind) => `${kind}_days`).join(',')}');
COMMENT ON COLUMN retention_runs.removed IS 'by the run that is under way, or was interrupted; empty once it is in the audit log';

CREATE TABLE retention_announcements (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL,
  announced_at timestamptz(3) NOT NULL,
  announced_before timestamptz(3) NOT NULL,
  removable_before timestamptz(3),
  PRIMARY KEY (org_id, kind),
  CONSTRAINT kind_known CHECK (kind IN ('events', 'conversations', 'archives'))
);
COMMENT ON COLUMN retention_announcements.announced_before
  IS 'what was last active before this was announced at that time';
COMMENT ON COLUMN retention_announcements.removable_before
  IS 'what was last active before this was announced long enough ago; null while nothing was';

CREATE TABLE conversation_usage_removed (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  llm_model text NOT NULL,
  conversations bigint NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL,
  PRIMARY KEY (org_id, llm_model),
  CONSTRAINT llm_model_length CHECK (char_length(llm_model) <= 255)
);
COMMENT ON TABLE conversation_usage_removed IS 'figures of the conversations that retention removed'`;

const COLUMNS = [
  'ALTER TABLE conversations ADD COLUMN expired_at timestamptz(3), ADD COLUMN emptied_at timestamptz(3)',
  `COMMENT ON COLUMN conversations.expired_at IS 'when it was decided to remove what the deleted one holds'`,
  `COMMENT ON COLUMN conversations.emptied_at IS 'when nothing was left of what the deleted one held'`,
  `ALTER TABLE event_logs ADD COLUMN removed_seq bigint NOT NULL DEFAULT 0,
     ADD COLUMN removed_until timestamptz, ADD COLUMN removed_mark text`,
  // Every row has null there, so that none has to be read.
  `ALTER TABLE event_logs ADD CONSTRAINT removed_mark_length CHECK (char_length(removed_mark) <= 512) NOT VALID`,
  `COMMENT ON COLUMN event_logs.removed_seq IS 'the last number of those events that were removed'`,
  `COMMENT ON COLUMN event_logs.removed_until IS 'the time of the newest of them: what comes and is no later is not stored again'`,
  `COMMENT ON COLUMN event_logs.removed_mark
     IS 'the id of the last of them that the agent server has, too; null where it is not to be told'`,
];

/** Whether anything that holds back removals names a conversation: nothing does yet. */
const IS_HELD = `
CREATE FUNCTION is_held(conversation uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT false
$$`;

const OWN_DAYS = `
CREATE FUNCTION own_retention_days(org uuid, kind text) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT CASE kind ${KINDS.map((kind) => `WHEN '${kind}' THEN r.${kind}_days`).join(' ')} END
  FROM org_retention r WHERE r.org_id = org
$$`;

/**
 * The logs are locked in the order of their conversations, and counters after all of them, as by `take_events`. What is removed
 * of a log are its first events, so that one number says which.
 */
const REMOVE_EVENTS = `
CREATE FUNCTION remove_events(conversations uuid[], most bigint, OUT events bigint, OUT bytes bigint)
LANGUAGE plpgsql AS $$
DECLARE
  log event_logs;
  upto bigint;
  last record;
  gone record;
  ids uuid[];
  orgs uuid[];
  sizes bigint[];
BEGIN
  events := 0;
  bytes := 0;
  FOR log IN
    SELECT * FROM event_logs l WHERE l.conversation_id = ANY (conversations) AND l.last_seq > l.removed_seq
     ORDER BY l.conversation_id FOR NO KEY UPDATE
  LOOP
    EXIT WHEN events >= most;
    upto := least(log.last_seq, log.removed_seq + most - events);
    SELECT CASE WHEN starts_with(e.id, 'sha256:') THEN NULL ELSE e.id END AS id INTO last FROM events e
     WHERE e.conversation_id = log.conversation_id AND e.seq <= upto
       AND NOT (e.kind = 'ConversationStateUpdateEvent' AND e.payload ~ '"key" ?: ?"full_state"')
       AND e.kind <> 'NoteEvent' AND NOT starts_with(e.id, 'service-')
     ORDER BY e.seq DESC LIMIT 1;
    IF FOUND THEN log.removed_mark := last.id; END IF;
    WITH deleted AS (
      DELETE FROM events e WHERE e.conversation_id = log.conversation_id AND e.seq <= upto
      RETURNING e.occurred_at, octet_length(e.payload) AS size
    )
    SELECT count(*) AS events, coalesce(sum(size), 0) AS bytes, max(occurred_at) AS until INTO gone FROM deleted;
    UPDATE event_logs l SET removed_seq = upto, removed_until = greatest(l.removed_until, gone.until),
           removed_mark = log.removed_mark, bytes = l.bytes - gone.bytes
     WHERE l.conversation_id = log.conversation_id;
    events := events + upto - log.removed_seq;
    bytes := bytes + gone.bytes;
    ids := ids || log.conversation_id;
    orgs := orgs || log.org_id;
    sizes := sizes || gone.bytes::bigint;
  END LOOP;
  PERFORM add_event_bytes(c.org, c.part, -c.removed) FROM (
    SELECT t.org, event_bytes_part(t.id) AS part, sum(t.size)::bigint AS removed
      FROM unnest(ids, orgs, sizes) AS t (id, org, size) WHERE t.org IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2) c;
END
$$`;

/** How long organizations keep what, what was announced and removed, and what of it is kept as sums. */
export class Retention20261129024000 implements CompatibleMigration {
  /** Earlier builds remove nothing of what is new here. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLES);
    for (const statement of [...COLUMNS, IS_HELD, OWN_DAYS, REMOVE_EVENTS]) await runner.query(statement);
    await runner.query(`COMMENT ON FUNCTION is_held IS 'whether nothing of a conversation may be removed'`);
    await runner.query(`COMMENT ON FUNCTION own_retention_days
      IS 'for how many days an organization keeps something; null as the installation does'`);
    await runner.query(`COMMENT ON FUNCTION remove_events
      IS 'removes the first events of conversations, so many at most; returns how many of how many bytes'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
