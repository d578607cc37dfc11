CREATE SEQUENCE webhook_ranks;

CREATE SEQUENCE webhook_fences;

CREATE TABLE stream_tickets (
  digest character(64) PRIMARY KEY,
  api_key_id integer NOT NULL,
  session_id integer,
  subject text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  credential_expires_at timestamptz(3),
  CONSTRAINT subject_length CHECK (char_length(subject) <= 100)
);
CREATE INDEX stream_tickets_expires_at ON stream_tickets (expires_at);
COMMENT ON COLUMN stream_tickets.subject IS 'the stream that it opens';

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  kinds text[] NOT NULL,
  conversation_ids uuid[],
  tags jsonb,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  disabled_at timestamptz(3),
  sealed_secret text NOT NULL,
  sealed_previous_secret text,
  previous_secret_until timestamptz(3),
  failing_since timestamptz(3),
  created_by_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  probe_at timestamptz(3),
  CONSTRAINT conversation_ids_length
    CHECK (cardinality(conversation_ids) >= 1 AND cardinality(conversation_ids) <= 100),
  CONSTRAINT description_length CHECK (char_length(description) <= 500),
  CONSTRAINT disabled_reason_known CHECK (disabled_reason IN ('by_request', 'gone', 'failing', 'backlog')),
  CONSTRAINT kinds_length CHECK (cardinality(kinds) >= 1 AND cardinality(kinds) <= 100),
  CONSTRAINT sealed_previous_secret_bytes CHECK (octet_length(sealed_previous_secret) <= 1000),
  CONSTRAINT sealed_secret_bytes CHECK (octet_length(sealed_secret) <= 1000),
  CONSTRAINT tags_bytes CHECK (octet_length(tags::text) <= 131072),
  CONSTRAINT url_length CHECK (char_length(url) <= 2048)
);
CREATE INDEX webhooks_created_by_user_id ON webhooks (created_by_user_id);
CREATE INDEX webhooks_org_id ON webhooks (org_id);
COMMENT ON COLUMN webhooks.failing_since IS 'the first failure since the last success';
COMMENT ON COLUMN webhooks.probe_at
  IS 'while it fails: when something is tried before its time, to see whether it works again';

CREATE TABLE webhook_lanes (
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  lane uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  fence bigint NOT NULL DEFAULT 0,
  additions bigint NOT NULL DEFAULT 0,
  not_before timestamptz(3),
  PRIMARY KEY (webhook_id, lane)
);
CREATE INDEX webhook_lanes_due ON webhook_lanes (webhook_id, due_at);
COMMENT ON COLUMN webhook_lanes.due_at IS 'when it may be taken: a leased one when the lease ends';
COMMENT ON COLUMN webhook_lanes.additions
  IS 'how often deliveries were added: one who found it empty sees by it that more came';
COMMENT ON COLUMN webhook_lanes.not_before
  IS 'until when the endpoint asked, by Retry-After, not to be sent what is at its head';

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  lane uuid NOT NULL,
  rank bigint NOT NULL DEFAULT nextval('webhook_ranks'::regclass),
  type text NOT NULL,
  event_kind text,
  conversation_id uuid,
  data text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3),
  retry_at timestamptz(3),
  CONSTRAINT data_bytes CHECK (octet_length(data) <= 20480),
  CONSTRAINT event_kind_length CHECK (char_length(event_kind) <= 512),
  CONSTRAINT last_error_length CHECK (char_length(last_error) <= 1000),
  CONSTRAINT state_known CHECK (state IN ('pending', 'delivered', 'failed')),
  CONSTRAINT type_length CHECK (char_length(type) <= 100)
);
CREATE INDEX webhook_deliveries_completed ON webhook_deliveries (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, created_at, rank)
  WHERE state = 'failed';
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, lane, rank)
  WHERE state = 'pending';
COMMENT ON COLUMN webhook_deliveries.failures IS 'in a row, since it was made or replayed: for the back-off';
COMMENT ON COLUMN webhook_deliveries.retry_at
  IS 'when it is tried again by the back-off; an attempt before that, when it fails, counts for nothing';

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number integer NOT NULL,
  at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  answer text,
  PRIMARY KEY (delivery_id, number),
  CONSTRAINT answer_bytes CHECK (octet_length(answer) <= 3072),
  CONSTRAINT error_length CHECK (char_length(error) <= 1000)
);
