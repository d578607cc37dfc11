import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
ALTER TABLE users ADD COLUMN erased_at timestamptz(3);
ALTER TABLE users DROP CONSTRAINT users_address;
ALTER TABLE users
  ADD CONSTRAINT users_address CHECK ((kind = 'person' AND erased_at IS NULL) = (email IS NOT NULL)),
  ADD CONSTRAINT users_erased CHECK (erased_at IS NULL OR (disabled_at IS NOT NULL AND name IS NULL));
COMMENT ON COLUMN users.erased_at IS 'the row stays for the figures that are counted by it';
CREATE TABLE legal_holds (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  conversation_id uuid,
  user_id uuid,
  reason text NOT NULL,
  created_by_user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  lifted_at timestamptz(3),
  lifted_by_user_id uuid,
  CONSTRAINT legal_holds_one CHECK ((conversation_id IS NULL) <> (user_id IS NULL)),
  CONSTRAINT legal_holds_lifted CHECK ((lifted_at IS NULL) = (lifted_by_user_id IS NULL)),
  CONSTRAINT reason_length CHECK (char_length(reason) <= 1000)
);
CREATE INDEX legal_holds_org_id ON legal_holds (org_id, id);
CREATE INDEX legal_holds_conversation_id ON legal_holds (conversation_id) WHERE lifted_at IS NULL;
CREATE INDEX legal_holds_user_id ON legal_holds (user_id) WHERE lifted_at IS NULL;
CREATE TRIGGER audit_noted AFTER INSERT OR DELETE OR UPDATE ON legal_holds
  FOR EACH ROW EXECUTE FUNCTION audit_noted('id', 'conversation_id,user_id,lifted_at,-reason');
CREATE OR REPLACE FUNCTION is_held(conversation uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH RECURSIVE up AS (
    SELECT c.id, c.org_id, c.parent_conversation_id, c.created_by_user_id FROM conversations c WHERE c.id = conversation
    UNION
    SELECT p.id, p.org_id, p.parent_conversation_id, p.created_by_user_id
      FROM up JOIN conversations p ON p.id = up.parent_conversation_id
  )
  SELECT EXISTS (SELECT FROM up JOIN legal_holds h ON h.org_id = up.org_id AND h.lifted_at IS NULL
                   AND (h.conversation_id = up.id OR h.user_id = up.created_by_user_id))
$$;
CREATE TABLE awaited_deletions (
  conversation_id uuid PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
  org_id uuid NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX awaited_deletions_org_id ON awaited_deletions (org_id);
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  of_account boolean NOT NULL,
  asked_by text NOT NULL,
  asked_by_user_id uuid,
  state text NOT NULL,
  email text,
  counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  begun_at timestamptz(3),
  finished_at timestamptz(3),
  CONSTRAINT asked_by_known CHECK (asked_by IN ('self', 'owner', 'operator')),
  CONSTRAINT state_known CHECK (state IN ('waiting', 'working', 'done')),
  CONSTRAINT email_length CHECK (char_length(email) <= 320),
  CONSTRAINT erasures_email CHECK (email IS NULL OR state = 'working'),
  CONSTRAINT counts_bytes CHECK (octet_length(counts::text) <= 8192)
);
CREATE UNIQUE INDEX erasures_open_key
  ON erasures (user_id, coalesce(org_id, '00000000-0000-0000-0000-000000000000')) WHERE state <> 'done';
CREATE INDEX erasures_user_id ON erasures (user_id, created_at);
CREATE INDEX erasures_org_id ON erasures (org_id);
COMMENT ON COLUMN erasures.org_id IS 'where only what they have in one organization is erased';
COMMENT ON COLUMN erasures.email IS 'of the account, by which some of it is found; until it is done'`;

/** Erased people stay as users without an address: without them builds before this one could not read those rows. */
const DOWN = `
DROP TABLE erasures;
DROP TABLE awaited_deletions;
CREATE OR REPLACE FUNCTION is_held(conversation uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT false';
DROP TABLE legal_holds;
ALTER TABLE users DROP CONSTRAINT users_erased, DROP CONSTRAINT users_address;
UPDATE users SET email = id || '@erased.invalid' WHERE erased_at IS NOT NULL;
ALTER TABLE users DROP COLUMN erased_at,
  ADD CONSTRAINT users_address CHECK ((kind = 'person') = (email IS NOT NULL))`;

/** Legal holds, and the erasure of people. */
export class Persons20261129025000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
