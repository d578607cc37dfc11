import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What a client sees of a conversation, except its status, which is an event of its own. */
const SHOWN = [
  ...[
    'title',
    'llm_model',
    'agent_kind',
    'selected_repository',
    'selected_branch',
    'git_provider',
    'trigger',
  ],
  ...['pr_number', 'pr_merged', 'tags', 'accumulated_cost', 'prompt_tokens', 'completion_tokens'],
  ...['cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens', 'context_window', 'per_turn_tokens'],
  ...['max_budget_per_task', 'launched_profile_id', 'launched_profile_revision', 'sandbox_id'],
];

const isChanged = (column: string): string => `OLD.${column} IS DISTINCT FROM NEW.${column}`;

const STATUS_CHANGED = [isChanged('start_state'), isChanged('execution_status')].join(' OR ');

const TABLE = `
  CREATE TABLE domain_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org_id uuid NOT NULL,
    conversation_id uuid,
    kind text NOT NULL,
    event json NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    position bigint
  );
  COMMENT ON TABLE domain_events IS 'what happened in organizations, in the order of positions';
  COMMENT ON COLUMN domain_events.position IS
    'given after the commit of the change: who has read up to a position never misses one that comes later';
  CREATE SEQUENCE domain_event_positions;
  CREATE INDEX domain_events_without_position ON domain_events (id) WHERE position IS NULL;
  CREATE INDEX domain_events_org ON domain_events (org_id, position) WHERE position IS NOT NULL;
  -- Every row is updated once, soon after it was written.
  ALTER TABLE domain_events SET (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 70);`;

const MESSAGES = `
  CREATE FUNCTION log_message_event() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    q record;
    what text := CASE WHEN TG_OP = 'INSERT' THEN 'message.queued' ELSE 'message.' || NEW.state END;
  BEGIN
    SELECT m.user_id, m.conversation_id, coalesce(c.org_id, m.org_id) AS org_id INTO q
      FROM message_queues m LEFT JOIN conversations c ON c.id = m.conversation_id WHERE m.id = NEW.queue_id;
    IF q.org_id IS NULL THEN RETURN NULL; END IF;
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    VALUES (q.org_id, q.conversation_id, what, CASE what
      WHEN 'message.queued' THEN json_build_object('kind', what, 'org_id', q.org_id,
        'conversation_id', q.conversation_id, 'queue_id', NEW.queue_id, 'message_id', NEW.id, 'user_id', q.user_id)
      WHEN 'message.failed' THEN json_build_object('kind', what, 'org_id', q.org_id,
        'conversation_id', q.conversation_id, 'queue_id', NEW.queue_id, 'message_id', NEW.id,
        'reason', coalesce(NEW.last_error, ''))
      ELSE json_build_object('kind', what, 'org_id', q.org_id,
        'conversation_id', q.conversation_id, 'queue_id', NEW.queue_id, 'message_id', NEW.id)
    END);
    RETURN NULL;
  END $$;
  CREATE TRIGGER pending_messages_logged_in AFTER INSERT ON pending_messages
    FOR EACH ROW WHEN (NEW.state = 'queued') EXECUTE FUNCTION log_message_event();
  CREATE TRIGGER pending_messages_logged AFTER UPDATE OF state ON pending_messages
    FOR EACH ROW WHEN (NEW.state IN ('delivered', 'failed') AND OLD.state <> NEW.state)
    EXECUTE FUNCTION log_message_event();`;

const CONVERSATIONS = `
  CREATE FUNCTION log_conversation_event() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    fields text[];
  BEGIN
    IF ${STATUS_CHANGED} THEN
      INSERT INTO domain_events (org_id, conversation_id, kind, event)
      VALUES (NEW.org_id, NEW.id, 'conversation.status_changed', json_build_object(
        'kind', 'conversation.status_changed', 'org_id', NEW.org_id, 'conversation_id', NEW.id,
        'start_state', NEW.start_state, 'execution_status', NEW.execution_status));
    END IF;
    fields := array_remove(ARRAY[
      ${SHOWN.map((column) => `CASE WHEN ${isChanged(column)} THEN '${column}' END`).join(',\n      ')}
    ], NULL);
    IF cardinality(fields) > 0 THEN
      INSERT INTO domain_events (org_id, conversation_id, kind, event)
      VALUES (NEW.org_id, NEW.id, 'conversation.updated', json_build_object(
        'kind', 'conversation.updated', 'org_id', NEW.org_id, 'conversation_id', NEW.id, 'fields', fields));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER conversations_logged AFTER UPDATE ON conversations
    FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (
      ${STATUS_CHANGED} OR ${SHOWN.map(isChanged).join(' OR ')}))
    EXECUTE FUNCTION log_conversation_event();`;

const EVENTS = `
  CREATE FUNCTION log_agent_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    SELECT l.org_id, e.conversation_id, 'event.received', json_build_object(
             'kind', 'event.received', 'org_id', l.org_id, 'conversation_id', e.conversation_id,
             'event_id', e.id, 'event_kind', e.kind,
             'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM added e JOIN event_logs l ON l.conversation_id = e.conversation_id
     ORDER BY e.conversation_id, e.seq;
    RETURN NULL;
  END $$;
  CREATE TRIGGER events_logged AFTER INSERT ON events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION log_agent_events();`;

/**
 * The log of domain events. What single statements change, message by message and batch by batch, is logged by
 * triggers: the statements stay single (docs/decisions/0036-log-of-domain-events.md).
 */
export class DomainEventLog20261122130000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLE);
    await runner.query(MESSAGES);
    await runner.query(CONVERSATIONS);
    await runner.query(EVENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER events_logged ON events;
      DROP TRIGGER conversations_logged ON conversations;
      DROP TRIGGER pending_messages_logged_in ON pending_messages;
      DROP TRIGGER pending_messages_logged ON pending_messages;
      DROP FUNCTION log_agent_events, log_conversation_event, log_message_event;
      DROP TABLE domain_events;
      DROP SEQUENCE domain_event_positions`);
  }
}
