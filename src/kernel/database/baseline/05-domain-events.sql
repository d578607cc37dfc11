CREATE SEQUENCE domain_event_positions;

CREATE TABLE domain_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org_id uuid NOT NULL,
  conversation_id uuid,
  kind text NOT NULL,
  event json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  position bigint
) WITH (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 70);
CREATE INDEX domain_events_conversation ON domain_events (conversation_id, position)
  WHERE position IS NOT NULL AND kind <> 'event.received';
CREATE INDEX domain_events_org ON domain_events (org_id, position) WHERE position IS NOT NULL;
CREATE INDEX domain_events_received ON domain_events (conversation_id, position)
  WHERE position IS NOT NULL AND kind = 'event.received';
CREATE INDEX domain_events_sandbox ON domain_events (((event ->> 'sandbox_id')), position)
  WHERE position IS NOT NULL AND kind = 'sandbox.status_changed';
CREATE INDEX domain_events_turns ON domain_events (org_id, id) WHERE position IS NULL;
COMMENT ON TABLE domain_events IS 'what happened in organizations, in the order of positions';
COMMENT ON COLUMN domain_events.position
  IS 'given after the commit of the change: who has read up to a position never misses one that comes later';

CREATE TABLE domain_events_gone (
  org_id uuid PRIMARY KEY,
  position bigint NOT NULL
);
COMMENT ON TABLE domain_events_gone IS 'the last position of an organization that was deleted from the log';

CREATE FUNCTION note_logged(ids text) RETURNS text LANGUAGE sql AS $$
SELECT set_config('domain_events.logged',
         concat_ws(',', nullif(current_setting('domain_events.logged', true), ''), ids), true)
$$;
COMMENT ON FUNCTION note_logged
  IS 'keeps which events triggers have logged in this transaction, from which its listeners get them';
