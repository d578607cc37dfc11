import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE audit_log (
  position bigint PRIMARY KEY,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL CONSTRAINT actor_kind_length CHECK (char_length(actor_kind) <= 50),
  actor_user_id uuid,
  action text NOT NULL CONSTRAINT action_length CHECK (char_length(action) <= 200),
  target_type text CONSTRAINT target_type_length CHECK (char_length(target_type) <= 100),
  target_id text CONSTRAINT target_id_length CHECK (char_length(target_id) <= 500),
  outcome text NOT NULL CONSTRAINT outcome_known CHECK (outcome IN ('success', 'refused', 'failed')),
  entry text NOT NULL CONSTRAINT entry_bytes CHECK (octet_length(entry) <= 262144),
  hash bytea NOT NULL CONSTRAINT hash_length CHECK (octet_length(hash) = 32)
);
CREATE INDEX audit_log_org ON audit_log (org_id, position);
CREATE INDEX audit_log_at ON audit_log (org_id, at, position);
CREATE INDEX audit_log_actor ON audit_log (org_id, actor_user_id, position);
CREATE INDEX audit_log_action ON audit_log (org_id, action, position);
CREATE INDEX audit_log_target ON audit_log (org_id, target_id, position) WHERE target_id IS NOT NULL;
CREATE INDEX audit_log_outcome ON audit_log (org_id, outcome, position) WHERE outcome <> 'success';
COMMENT ON TABLE audit_log IS 'who did what; rows are added, and neither changed nor deleted one by one';
COMMENT ON COLUMN audit_log.org_id IS 'null for what belongs to no organization';
COMMENT ON COLUMN audit_log.entry IS 'the row as JSON text, byte for byte as its hash has it';
COMMENT ON COLUMN audit_log.hash IS 'SHA-256 of the hash before it in the organization, followed by entry';

CREATE TABLE audit_personal (
  position bigint PRIMARY KEY REFERENCES audit_log (position) ON DELETE CASCADE,
  user_id uuid,
  personal text NOT NULL CONSTRAINT personal_bytes CHECK (octet_length(personal) <= 8192),
  salt bytea NOT NULL CONSTRAINT salt_length CHECK (octet_length(salt) = 16)
);
CREATE INDEX audit_personal_user ON audit_personal (user_id, position) WHERE user_id IS NOT NULL;
COMMENT ON TABLE audit_personal
  IS 'what a row of the log says of a person, which goes when the person is erased; the row has a digest of it';

CREATE TABLE audit_seals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  first_position bigint NOT NULL,
  position bigint NOT NULL,
  rows integer NOT NULL CONSTRAINT rows_positive CHECK (rows > 0),
  hash bytea NOT NULL CONSTRAINT hash_length CHECK (octet_length(hash) = 32),
  mac bytea NOT NULL CONSTRAINT mac_length CHECK (octet_length(mac) = 32),
  key_id text NOT NULL CONSTRAINT key_id_length CHECK (char_length(key_id) <= 20),
  sealed_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3)
);
CREATE UNIQUE INDEX audit_seals_org ON audit_seals (org_id, position);
CREATE UNIQUE INDEX audit_seals_installation ON audit_seals (position) WHERE org_id IS NULL;
CREATE INDEX audit_seals_kept ON audit_seals (id) WHERE removed_at IS NULL;
COMMENT ON TABLE audit_seals IS 'heads of the chains of the audit log, authenticated with the secret key';
COMMENT ON COLUMN audit_seals.key_id IS 'the id of the secret key that the mac is made with';
COMMENT ON COLUMN audit_seals.removed_at IS 'when retention removed the rows of the span; null while they are there'`;

/** The audit log: rows that are chained by hash, what of them is personal, and the heads of the chains. */
export class AuditLog20261129020000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_seals, audit_personal, audit_log');
  }
}
