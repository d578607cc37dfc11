import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE device_logins (
  id uuid PRIMARY KEY,
  device_code_digest character(64) NOT NULL,
  user_code_digest character(64) NOT NULL,
  client_name text,
  scopes text[],
  address text NOT NULL,
  counted_address text NOT NULL,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  interval_seconds integer NOT NULL,
  last_polled_at timestamptz(3),
  decided_at timestamptz(3),
  is_approved boolean,
  user_id uuid CONSTRAINT device_logins_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid,
  api_key_id integer CONSTRAINT device_logins_api_key_id_fkey REFERENCES api_keys (id) ON DELETE SET NULL,
  credential_expires_at timestamptz(3),
  key_expires_at timestamptz(3),
  used_at timestamptz(3),
  CONSTRAINT device_logins_member_fkey FOREIGN KEY (org_id, user_id)
    REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT device_logins_scopes CHECK (cardinality(scopes) <= 100),
  CONSTRAINT client_name_length CHECK (char_length(client_name) <= 100),
  CONSTRAINT address_length CHECK (char_length(address) <= 100),
  CONSTRAINT counted_address_length CHECK (char_length(counted_address) <= 100),
  CONSTRAINT user_agent_length CHECK (char_length(user_agent) <= 255)
);
CREATE UNIQUE INDEX device_logins_device_code_digest_key ON device_logins (device_code_digest);
CREATE UNIQUE INDEX device_logins_user_code_digest_key ON device_logins (user_code_digest);
CREATE INDEX device_logins_counted_address ON device_logins (counted_address);
CREATE INDEX device_logins_expires_at ON device_logins (expires_at);
CREATE INDEX device_logins_user_id ON device_logins (user_id);
CREATE INDEX device_logins_api_key_id ON device_logins (api_key_id);
CREATE TABLE device_code_tries (
  subject text PRIMARY KEY,
  count integer NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  CONSTRAINT subject_length CHECK (char_length(subject) <= 150)
)`;

const DOWN = `
DROP TABLE device_code_tries;
DROP TABLE device_logins`;

/** Logins of devices, which wait for who approves them, and wrong codes that were entered. */
export class DeviceLogins20261129016000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
