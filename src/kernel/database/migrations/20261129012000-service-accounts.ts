import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person', ALTER COLUMN email DROP NOT NULL;
ALTER TABLE users ADD CONSTRAINT users_kind CHECK (kind IN ('person', 'service_account')),
  ADD CONSTRAINT users_address CHECK ((kind = 'person') = (email IS NOT NULL)),
  ADD CONSTRAINT users_service_account CHECK (kind = 'person' OR confined_to_org_id IS NOT NULL);
ALTER TABLE api_keys ADD COLUMN made_by_user_id uuid REFERENCES users (id) ON DELETE CASCADE;
CREATE TABLE service_accounts (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  owner_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX service_accounts_org_id ON service_accounts (org_id);
CREATE INDEX service_accounts_owner_user_id ON service_accounts (owner_user_id)`;

/** Without them nothing of theirs may work. */
const DOWN = `
DROP TABLE service_accounts;
DELETE FROM api_keys k USING users u WHERE u.id = k.user_id AND u.kind = 'service_account';
DELETE FROM org_members m USING users u WHERE u.id = m.user_id AND u.kind = 'service_account';
ALTER TABLE users DROP CONSTRAINT users_address;
UPDATE users SET email = id || '@service-accounts.invalid', disabled_at = now() WHERE kind = 'service_account';
ALTER TABLE users DROP COLUMN kind, DROP CONSTRAINT users_service_account, ALTER COLUMN email SET NOT NULL;
ALTER TABLE api_keys DROP COLUMN made_by_user_id`;

/** Users without an address, which only keys act for, and who made each of these. */
export class ServiceAccounts20261129012000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
