CREATE SEQUENCE job_fences;

-- Normalization is there for UTF-8 only; in other encodings texts are compared in lower case.
DO $do$
BEGIN
  EXECUTE format(
    'CREATE FUNCTION search_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
    CASE getdatabaseencoding()
      WHEN 'UTF8' THEN 'SELECT replace(lower(normalize(given, NFKC)), U&''\03C2'', U&''\03C3'')'
      ELSE 'SELECT lower(given)'
    END);
END $do$;

CREATE TABLE secret_check (
  only_row boolean DEFAULT true PRIMARY KEY,
  sealed text NOT NULL,
  CONSTRAINT secret_check_only_row_check CHECK (only_row)
);
COMMENT ON COLUMN secret_check.sealed IS 'a known text, encrypted with the current SECRET_KEY';

CREATE TABLE write_check (
  only_row boolean DEFAULT true PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT write_check_only_row_check CHECK (only_row)
) WITH (fillfactor = 10);
COMMENT ON TABLE write_check IS 'changed by probes, to see whether the database takes writes';
INSERT INTO write_check DEFAULT VALUES;

CREATE TABLE schema_compatibility (
  build bigint PRIMARY KEY,
  oldest_build bigint NOT NULL
);
COMMENT ON COLUMN schema_compatibility.build IS 'of which this migration is the newest';
COMMENT ON COLUMN schema_compatibility.oldest_build IS 'the oldest build that may run after this migration';

CREATE TABLE worker_heartbeats (
  worker_id text PRIMARY KEY,
  process text NOT NULL,
  lease_until timestamptz NOT NULL,
  CONSTRAINT process_length CHECK (char_length(process) <= 500),
  CONSTRAINT worker_id_length CHECK (char_length(worker_id) <= 100)
);
CREATE INDEX worker_heartbeats_lease_until ON worker_heartbeats (lease_until);

CREATE UNLOGGED TABLE request_counts (
  bucket text NOT NULL,
  subject text NOT NULL,
  count integer NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  PRIMARY KEY (bucket, subject)
) WITH (fillfactor = 50);
