CREATE TABLE sandbox_installation (
  id uuid PRIMARY KEY
);
INSERT INTO sandbox_installation (id) VALUES (gen_random_uuid());

CREATE TABLE sandbox_hosts (
  id text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL,
  CONSTRAINT id_length CHECK (char_length(id) <= 255)
);

CREATE TABLE sandboxes (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  driver text NOT NULL,
  host_id text,
  status text NOT NULL,
  stopping text,
  status_detail text,
  launched boolean NOT NULL DEFAULT false,
  port integer,
  base_url text,
  working_dir text,
  sealed_session_key text,
  session_key_digest character(64),
  last_activity_at timestamptz(3) NOT NULL,
  deadline_at timestamptz(3),
  unanswered_since timestamptz(3),
  resumes_with_host boolean NOT NULL DEFAULT false,
  fence bigint NOT NULL DEFAULT 0,
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  listener_uid integer,
  by_link boolean NOT NULL DEFAULT false,
  CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
  CONSTRAINT driver_length CHECK (char_length(driver) <= 100),
  CONSTRAINT host_id_length CHECK (char_length(host_id) <= 255),
  CONSTRAINT sandboxes_status CHECK (status IN ('STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING')),
  CONSTRAINT sandboxes_stopping CHECK (stopping IN ('pause', 'delete')),
  CONSTRAINT sealed_session_key_length CHECK (char_length(sealed_session_key) <= 1000),
  CONSTRAINT status_detail_length CHECK (char_length(status_detail) <= 1000),
  CONSTRAINT working_dir_length CHECK (char_length(working_dir) <= 4096)
);
CREATE INDEX sandboxes_active ON sandboxes (org_id, host_id)
  WHERE status IN ('STARTING', 'RUNNING') OR stopping IS NOT NULL;
CREATE INDEX sandboxes_id_trigrams ON sandboxes USING gin (((id)::text) gin_trgm_ops);
CREATE INDEX sandboxes_owner ON sandboxes (created_by_user_id, org_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX sandboxes_session_key_digest_key ON sandboxes (session_key_digest);
COMMENT ON COLUMN sandboxes.host_id IS 'null where any worker may run its jobs';
COMMENT ON COLUMN sandboxes.stopping IS 'what is being done to a sandbox that shows as PAUSED';
COMMENT ON COLUMN sandboxes.base_url IS 'how the service reaches the agent server';
COMMENT ON COLUMN sandboxes.resumes_with_host IS 'paused with the service, to be resumed with it';
COMMENT ON COLUMN sandboxes.listener_uid
  IS 'the user its agent server runs as, where a driver of this service started it';

CREATE TABLE sandbox_leftovers (
  sandbox_id uuid PRIMARY KEY,
  host_id text NOT NULL,
  driver text NOT NULL,
  CONSTRAINT driver_length CHECK (char_length(driver) <= 100),
  CONSTRAINT host_id_length CHECK (char_length(host_id) <= 255)
);
CREATE INDEX sandbox_leftovers_host_id ON sandbox_leftovers (host_id);

CREATE TABLE sandbox_kept_logs (
  sandbox_id uuid PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
  org_id uuid NOT NULL,
  lines text,
  kept_until timestamptz(3) NOT NULL,
  CONSTRAINT lines_bytes CHECK (octet_length(lines) <= 65536)
);
CREATE INDEX sandbox_kept_logs_kept_until ON sandbox_kept_logs (kept_until);
CREATE INDEX sandbox_kept_logs_org_id ON sandbox_kept_logs (org_id, kept_until);
COMMENT ON COLUMN sandbox_kept_logs.lines IS 'its last lines; null until they were read, which its host does';

CREATE FUNCTION note_sandbox_leftovers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sandbox_leftovers (sandbox_id, host_id, driver) VALUES (OLD.id, OLD.host_id, OLD.driver);
  RETURN NULL;
END
$$;

CREATE TRIGGER sandboxes_note_leftovers AFTER DELETE ON sandboxes
  FOR EACH ROW
  WHEN (old.host_id IS NOT NULL AND old.status <> 'MISSING')
  EXECUTE FUNCTION note_sandbox_leftovers();
