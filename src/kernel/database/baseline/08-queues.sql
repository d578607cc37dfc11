CREATE TABLE message_queues (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  conversation_id uuid REFERENCES conversations (id) ON DELETE CASCADE,
  early_key text,
  closed_reason text,
  last_rank bigint NOT NULL DEFAULT 0,
  fence bigint NOT NULL DEFAULT 0,
  claimed_until timestamptz(3),
  next_attempt_at timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  woken boolean NOT NULL DEFAULT false,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT closed_reason_length CHECK (char_length(closed_reason) <= 1000),
  CONSTRAINT early_key_length CHECK (char_length(early_key) <= 128),
  CONSTRAINT message_queues_belongs CHECK ((conversation_id IS NULL) <> (early_key IS NULL)),
  CONSTRAINT message_queues_placed CHECK (early_key IS NULL OR org_id IS NOT NULL)
);
CREATE INDEX message_queues_claimed ON message_queues (claimed_until) WHERE claimed_until IS NOT NULL;
CREATE UNIQUE INDEX message_queues_conversation_id_key ON message_queues (conversation_id);
CREATE INDEX message_queues_early ON message_queues (created_at) WHERE early_key IS NOT NULL;
CREATE UNIQUE INDEX message_queues_user_org_early_key ON message_queues (user_id, org_id, early_key);
COMMENT ON COLUMN message_queues.early_key
  IS 'the id under which messages came before there was a conversation';
COMMENT ON COLUMN message_queues.woken
  IS 'somebody wanted a run while there was one, which then must not pause';
COMMENT ON COLUMN message_queues.org_id
  IS 'the organization in which messages came before there was a conversation';

CREATE TABLE pending_messages (
  id uuid PRIMARY KEY,
  queue_id uuid NOT NULL REFERENCES message_queues (id) ON DELETE CASCADE,
  rank bigint NOT NULL,
  is_initial boolean NOT NULL DEFAULT false,
  role text NOT NULL,
  content text NOT NULL,
  run boolean NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  mark_event_id text,
  delivered_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  mode text NOT NULL DEFAULT 'steer',
  failed_at timestamptz(3),
  CONSTRAINT content_bytes CHECK (octet_length(content) <= 20971520),
  CONSTRAINT last_error_length CHECK (char_length(last_error) <= 2000),
  CONSTRAINT mark_event_id_length CHECK (char_length(mark_event_id) <= 512),
  CONSTRAINT pending_messages_mode CHECK (mode IN ('steer', 'after_run')),
  CONSTRAINT pending_messages_state
    CHECK (state IN ('queued', 'delivering', 'delivered', 'failed', 'cancelled')),
  CONSTRAINT role_length CHECK (char_length(role) <= 20)
);
CREATE INDEX pending_messages_done ON pending_messages (coalesce(delivered_at, failed_at, created_at))
  WHERE state IN ('delivered', 'failed', 'cancelled');
CREATE INDEX pending_messages_queue ON pending_messages (queue_id, rank);
CREATE INDEX pending_messages_undelivered ON pending_messages (queue_id, rank)
  WHERE state IN ('queued', 'delivering');
CREATE STATISTICS pending_messages_done_at ON coalesce(delivered_at, failed_at, created_at) FROM pending_messages;
COMMENT ON COLUMN pending_messages.content IS 'the JSON text of the content blocks, as it came';
COMMENT ON COLUMN pending_messages.mark_event_id
  IS 'the last event of the conversation before the message was sent';

CREATE TABLE message_bytes (
  owner_id uuid PRIMARY KEY,
  bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE message_bytes IS 'bytes of undelivered messages of a user or an organization';

CREATE FUNCTION queue_bytes_add(queue uuid, added bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sender uuid;
  org uuid;
BEGIN
  SELECT q.user_id, coalesce(c.org_id, q.org_id) INTO sender, org
    FROM message_queues q LEFT JOIN conversations c ON c.id = q.conversation_id WHERE q.id = queue;
  PERFORM message_bytes_add(org, added), message_bytes_add(sender, added);
END
$$;

CREATE FUNCTION message_bytes_add(owner uuid, added bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE message_bytes SET bytes = bytes + added WHERE owner_id = owner;
    IF NOT FOUND THEN
      INSERT INTO message_bytes AS b (owner_id, bytes) SELECT owner, added WHERE owner IS NOT NULL
ON CONFLICT (owner_id) DO UPDATE SET bytes = b.bytes + added;
    END IF;
  END
$$;

CREATE FUNCTION message_bytes_exceeded(
  sender uuid,
  org uuid,
  added bigint,
  user_bytes bigint,
  org_bytes bigint
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM message_bytes WHERE owner_id = org FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM message_bytes_add(org, 0); END IF;
  PERFORM 1 FROM message_bytes WHERE owner_id = sender FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM message_bytes_add(sender, 0); END IF;
  RETURN CASE
    WHEN EXISTS (SELECT 1 FROM message_bytes
                  WHERE owner_id = sender AND bytes + added + (
                     SELECT coalesce(sum(request_bytes), 0) FROM start_tasks
                      WHERE created_by_user_id = sender AND status NOT IN ('READY', 'ERROR')) > user_bytes) THEN 'user'
    WHEN EXISTS (SELECT 1 FROM message_bytes
                  WHERE owner_id = org AND bytes + added + (
                     SELECT coalesce(sum(request_bytes), 0) FROM start_tasks
                      WHERE org_id = org AND status NOT IN ('READY', 'ERROR')) > org_bytes) THEN 'organization'
  END;
END
$$;

CREATE FUNCTION message_queues_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  org uuid;
BEGIN
  SELECT coalesce(sum(CASE WHEN m.state IN ('queued', 'delivering') AND octet_length(m.content) > 4096
      THEN octet_length(m.content) ELSE 0 END), 0) INTO held FROM pending_messages m
   WHERE m.queue_id = OLD.id AND m.state IN ('queued', 'delivering');
  IF held > 0 AND TG_OP = 'DELETE' THEN
    SELECT org_id INTO org FROM conversations WHERE id = OLD.conversation_id;
    PERFORM message_bytes_add(coalesce(org, OLD.org_id), -held), message_bytes_add(OLD.user_id, -held);
  ELSIF held > 0 AND OLD.org_id IS NULL THEN
    PERFORM message_bytes_add((SELECT org_id FROM conversations WHERE id = NEW.conversation_id), held);
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE FUNCTION pending_messages_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_bytes_add(NEW.queue_id, CASE WHEN NEW.state IN ('queued', 'delivering') AND octet_length(NEW.content) > 4096
      THEN octet_length(NEW.content) ELSE 0 END
    - CASE TG_OP WHEN 'UPDATE' THEN CASE WHEN OLD.state IN ('queued', 'delivering') AND octet_length(OLD.content) > 4096
      THEN octet_length(OLD.content) ELSE 0 END ELSE 0 END);
  RETURN NULL;
END
$$;

CREATE FUNCTION queue_after_run(
  new_message uuid,
  sender uuid,
  to_conversation uuid,
  to_early_key text,
  to_org uuid,
  blocks text,
  most bigint,
  claim_ms double precision,
  early_bytes bigint,
  user_bytes bigint,
  org_bytes bigint,
  OUT to_queue uuid,
  OUT refusal text,
  OUT place bigint,
  OUT needs_run boolean,
  OUT new_fence bigint,
  OUT orphaned_ms double precision,
  OUT exceeded text
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT * INTO to_queue, refusal, place, needs_run, new_fence, orphaned_ms, exceeded
    FROM queue_message(new_message, sender, to_conversation, to_early_key, to_org, blocks,
                       most, claim_ms, early_bytes, user_bytes, org_bytes);
  UPDATE pending_messages SET mode = 'after_run' WHERE id = new_message;
END
$$;

CREATE FUNCTION queue_message(
  new_message uuid,
  sender uuid,
  to_conversation uuid,
  to_early_key text,
  to_org uuid,
  blocks text,
  most bigint,
  claim_ms double precision,
  early_bytes bigint,
  user_bytes bigint,
  org_bytes bigint,
  OUT to_queue uuid,
  OUT refusal text,
  OUT place bigint,
  OUT needs_run boolean,
  OUT new_fence bigint,
  OUT orphaned_ms double precision,
  OUT exceeded text
) LANGUAGE plpgsql AS $$
DECLARE
  q message_queues;
  counted bigint;
  waiting bigint;
BEGIN
  FOR attempt IN 1..2 LOOP
    IF to_conversation IS NOT NULL THEN
      SELECT * INTO q FROM message_queues
       WHERE conversation_id = to_conversation FOR NO KEY UPDATE;
    ELSE
      SELECT * INTO q FROM message_queues
       WHERE user_id = sender AND early_key = to_early_key AND org_id = to_org FOR NO KEY UPDATE;
    END IF;
    EXIT WHEN FOUND OR attempt = 2;
    INSERT INTO message_queues (id, user_id, conversation_id, early_key, org_id)
    VALUES (gen_random_uuid(), sender, to_conversation, to_early_key, to_org) ON CONFLICT DO NOTHING;
  END LOOP;
  IF q.id IS NULL THEN RETURN; END IF;
  to_queue := q.id;
  IF q.early_key IS NULL AND q.closed_reason IS NOT NULL THEN
    refusal := q.closed_reason;
    RETURN;
  END IF;

  SELECT count(*) + 1, count(*) FILTER (WHERE NOT is_initial), coalesce(sum(octet_length(content)), 0)
    INTO place, counted, waiting
    FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering');
  IF counted >= most THEN
    place := NULL;
    RETURN;
  END IF;

  IF q.early_key IS NOT NULL AND waiting + octet_length(blocks) > early_bytes THEN
    exceeded := 'queue';
  ELSIF octet_length(blocks) > 4096 THEN
    exceeded := message_bytes_exceeded(
      q.user_id, coalesce((SELECT org_id FROM conversations WHERE id = q.conversation_id), q.org_id),
      octet_length(blocks), user_bytes, org_bytes);
  END IF;
  IF exceeded IS NOT NULL THEN
    place := NULL;
    RETURN;
  END IF;

  needs_run := NOT coalesce(q.claimed_until > clock_timestamp() OR q.next_attempt_at > clock_timestamp(), false);
  IF needs_run AND claim_ms IS NOT NULL THEN
    new_fence := nextval('job_fences');
    orphaned_ms := extract(epoch FROM clock_timestamp() - q.claimed_until) * 1000;
  END IF;
  UPDATE message_queues
     SET last_rank = q.last_rank + 1,
         closed_reason = NULL,
         created_at = CASE WHEN q.closed_reason IS NULL THEN q.created_at ELSE now() END,
         fence = coalesce(new_fence, q.fence),
         claimed_until = CASE WHEN new_fence IS NULL THEN q.claimed_until
                              ELSE clock_timestamp() + claim_ms * interval '1 millisecond' END,
         woken = q.woken AND new_fence IS NULL
   WHERE id = q.id;
  INSERT INTO pending_messages (id, queue_id, rank, role, content, run)
  VALUES (new_message, q.id, q.last_rank + 1, 'user', blocks, true);
END
$$;

CREATE FUNCTION log_message_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  q record;
  what text := CASE WHEN TG_OP = 'INSERT' THEN 'message.queued' ELSE 'message.' || NEW.state END;
  logged bigint;
  noted text;
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
  END) RETURNING id INTO logged;
  noted := note_logged(logged::text);
  RETURN NULL;
END
$$;

CREATE TRIGGER message_queues_counted_attached AFTER UPDATE OF conversation_id ON message_queues
  FOR EACH ROW
  WHEN (old.conversation_id IS NULL AND new.conversation_id IS NOT NULL)
  EXECUTE FUNCTION message_queues_counted();
CREATE TRIGGER message_queues_counted_out BEFORE DELETE ON message_queues
  FOR EACH ROW
  EXECUTE FUNCTION message_queues_counted();
CREATE TRIGGER pending_messages_counted_anew AFTER UPDATE OF state, content ON pending_messages
  FOR EACH ROW
  WHEN ( CASE WHEN (new.state IN ('queued', 'delivering'))
    AND octet_length(new.content) > 4096 THEN octet_length(new.content) ELSE 0 END <> CASE WHEN (old.state IN ('queued', 'delivering'))
    AND octet_length(old.content) > 4096 THEN octet_length(old.content) ELSE 0 END)
  EXECUTE FUNCTION pending_messages_counted();
CREATE TRIGGER pending_messages_counted_in AFTER INSERT ON pending_messages
  FOR EACH ROW
  WHEN ( CASE WHEN (new.state IN ('queued', 'delivering'))
    AND octet_length(new.content) > 4096 THEN octet_length(new.content) ELSE 0 END > 0)
  EXECUTE FUNCTION pending_messages_counted();
CREATE TRIGGER pending_messages_logged AFTER UPDATE OF state ON pending_messages
  FOR EACH ROW
  WHEN ((new.state IN ('delivered', 'failed')) AND old.state <> new.state)
  EXECUTE FUNCTION log_message_event();
CREATE TRIGGER pending_messages_logged_in AFTER INSERT ON pending_messages
  FOR EACH ROW
  WHEN (new.state = 'queued')
  EXECUTE FUNCTION log_message_event();
