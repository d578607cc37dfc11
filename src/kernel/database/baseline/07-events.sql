CREATE TABLE events (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  id text NOT NULL,
  seq bigint NOT NULL,
  kind text NOT NULL,
  occurred_at timestamptz NOT NULL,
  payload text NOT NULL,
  PRIMARY KEY (conversation_id, id),
  CONSTRAINT id_length CHECK (char_length(id) <= 512),
  CONSTRAINT kind_length CHECK (char_length(kind) <= 512),
  CONSTRAINT payload_bytes CHECK (octet_length(payload) <= 16777216)
) PARTITION BY HASH (conversation_id);
DO $$BEGIN
  FOR n IN 0..15 LOOP
    EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS 16, REMAINDER %s)', n, n);
  END LOOP;
END$$;
CREATE INDEX events_order ON events (conversation_id, seq);
CREATE INDEX events_time ON events (conversation_id, occurred_at, seq);
COMMENT ON COLUMN events.payload IS 'the JSON text as it was received';

CREATE TABLE event_logs (
  conversation_id uuid PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
  last_seq bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  org_id uuid
);
COMMENT ON TABLE event_logs IS 'numbers the events of a conversation, and is locked by who adds to them';
COMMENT ON COLUMN event_logs.bytes IS 'of the texts of the events';

CREATE TABLE event_bytes (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  part smallint NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, part)
) WITH (fillfactor = 50);
COMMENT ON TABLE event_bytes IS 'bytes of events of an organization, in parts by conversation';

CREATE FUNCTION event_bytes_part(conversation uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT (uuid_hash(conversation) & 15)::smallint
$$;

CREATE FUNCTION event_logs_placed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.org_id := (SELECT org_id FROM conversations WHERE id = NEW.conversation_id);
  RETURN NEW;
END
$$;

CREATE FUNCTION event_logs_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_bytes SET bytes = bytes - OLD.bytes
   WHERE org_id = OLD.org_id AND part = event_bytes_part(OLD.conversation_id);
  RETURN NULL;
END
$$;

CREATE FUNCTION log_agent_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
  noted text;
BEGIN
  WITH logged AS (
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    SELECT l.org_id, e.conversation_id, 'event.received', json_build_object(
             'kind', 'event.received', 'org_id', l.org_id, 'conversation_id', e.conversation_id,
             'event_id', e.id, 'event_kind', e.kind,
             'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM added e JOIN event_logs l ON l.conversation_id = e.conversation_id
     ORDER BY e.conversation_id, e.seq
    RETURNING id
  )
  SELECT string_agg(id::text, ',') INTO ids FROM logged;
  noted := note_logged(ids);
  RETURN NULL;
END
$$;

CREATE TRIGGER event_logs_placed BEFORE INSERT ON event_logs
  FOR EACH ROW
  EXECUTE FUNCTION event_logs_placed();
CREATE TRIGGER event_logs_removed AFTER DELETE ON event_logs
  FOR EACH ROW
  EXECUTE FUNCTION event_logs_removed();
CREATE TRIGGER events_logged AFTER INSERT ON events
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION log_agent_events();
