import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE ended_keys (
  digest character(64) PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  prefix text NOT NULL,
  ended_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT prefix_length CHECK (char_length(prefix) <= 20)
);
CREATE INDEX ended_keys_user_id ON ended_keys (user_id);
CREATE INDEX ended_keys_org_id ON ended_keys (org_id);
CREATE INDEX ended_keys_ended_at ON ended_keys (ended_at);
CREATE FUNCTION api_keys_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What goes with its user or organization is nobody's any more.
  INSERT INTO ended_keys (digest, user_id, org_id, prefix)
  SELECT OLD.digest, OLD.user_id, OLD.org_id, OLD.prefix
   WHERE EXISTS (SELECT FROM users WHERE id = OLD.user_id)
     AND (OLD.org_id IS NULL OR EXISTS (SELECT FROM organizations WHERE id = OLD.org_id))
  ON CONFLICT (digest) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER ended AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_ended()`;

/** Whose keys are still sent after they are gone. */
export class EndedKeys20261129021100 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER ended ON api_keys;
      DROP FUNCTION api_keys_ended;
      DROP TABLE ended_keys`);
  }
}
