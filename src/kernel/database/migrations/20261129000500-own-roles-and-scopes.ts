import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE org_roles (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT org_roles_permissions CHECK (cardinality(permissions) <= 100),
  CONSTRAINT name_length CHECK (char_length(name) <= 200)
);
CREATE UNIQUE INDEX org_roles_name_key ON org_roles (org_id, lower(name));
ALTER TABLE org_members ADD COLUMN own_role_id uuid REFERENCES org_roles (id);
ALTER TABLE org_members ADD CONSTRAINT org_members_own_role_rank
  CHECK (own_role_id IS NULL OR role = 'member');
ALTER TABLE api_keys ADD COLUMN scopes text[], ADD COLUMN address_ranges text[];
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) <= 100),
  ADD CONSTRAINT api_keys_address_ranges CHECK (cardinality(address_ranges) <= 100);
CREATE TABLE org_credential_rules (
  org_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  longest_key_days integer,
  expiry_required boolean NOT NULL DEFAULT false,
  scopes_required boolean NOT NULL DEFAULT false,
  key_makers text NOT NULL DEFAULT 'member',
  keys_beside_provider boolean NOT NULL DEFAULT false,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT org_credential_rules_days CHECK (longest_key_days BETWEEN 1 AND 3660),
  CONSTRAINT org_credential_rules_makers CHECK (key_makers IN ('member', 'admin', 'owner'))
)`;

const DOWN = `
DROP TABLE org_credential_rules;
ALTER TABLE api_keys DROP COLUMN scopes, DROP COLUMN address_ranges;
ALTER TABLE org_members DROP COLUMN own_role_id;
DROP TABLE org_roles`;

/** Roles that organizations make of permissions, keys that can do less than their users, and what is asked of credentials. */
export class OwnRolesAndScopes20261129000500 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
