import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE scim_tokens (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL,
  digest character(64) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  CONSTRAINT name_length CHECK (char_length(name) <= 255),
  CONSTRAINT prefix_length CHECK (char_length(prefix) <= 20)
);
CREATE UNIQUE INDEX scim_tokens_digest_key ON scim_tokens (digest);
CREATE INDEX scim_tokens_org_id ON scim_tokens (org_id);
CREATE TABLE scim_users (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  email text NOT NULL,
  active boolean NOT NULL,
  resource jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  PRIMARY KEY (org_id, id),
  CONSTRAINT email_length CHECK (char_length(email) <= 320),
  CONSTRAINT resource_bytes CHECK (octet_length(resource::text) <= 16384),
  CONSTRAINT scim_users_deleted CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX scim_users_email_key ON scim_users (org_id, email);
CREATE UNIQUE INDEX scim_users_user_name_key ON scim_users (org_id, lower(resource->>'userName'))
  WHERE deleted_at IS NULL;
CREATE INDEX scim_users_external_id ON scim_users (org_id, (resource->>'externalId')) WHERE deleted_at IS NULL;
CREATE INDEX scim_users_created_at ON scim_users (org_id, created_at, id) WHERE deleted_at IS NULL;
CREATE TABLE scim_groups (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  resource jsonb NOT NULL,
  role text,
  own_role_id uuid REFERENCES org_roles (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, id),
  CONSTRAINT resource_bytes CHECK (octet_length(resource::text) <= 16384),
  CONSTRAINT scim_groups_role CHECK (role IN ('member', 'admin', 'owner')),
  CONSTRAINT scim_groups_own_role_rank CHECK (own_role_id IS NULL OR role = 'member')
);
CREATE INDEX scim_groups_display_name ON scim_groups (org_id, lower(resource->>'displayName'));
CREATE INDEX scim_groups_created_at ON scim_groups (org_id, created_at, id);
CREATE INDEX scim_groups_own_role_id ON scim_groups (own_role_id) WHERE own_role_id IS NOT NULL;
CREATE TABLE scim_group_members (
  org_id uuid NOT NULL,
  group_id uuid NOT NULL,
  scim_user_id uuid NOT NULL,
  PRIMARY KEY (org_id, group_id, scim_user_id),
  CONSTRAINT scim_group_members_group_fkey FOREIGN KEY (org_id, group_id)
    REFERENCES scim_groups (org_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_members_user_fkey FOREIGN KEY (org_id, scim_user_id)
    REFERENCES scim_users (org_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_group_members_user ON scim_group_members (org_id, scim_user_id)`;

const DOWN = `
DROP TABLE scim_group_members;
DROP TABLE scim_groups;
DROP TABLE scim_users;
DROP TABLE scim_tokens`;

/** What the directories of organizations say of people and groups, and their tokens. */
export class Scim20261129005000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
