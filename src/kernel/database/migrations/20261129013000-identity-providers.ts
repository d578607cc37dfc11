import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE identity_providers (
  id uuid PRIMARY KEY,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  sealed_client_secret text,
  scope text NOT NULL DEFAULT 'openid email profile',
  default_role text,
  group_claim text NOT NULL DEFAULT 'groups',
  group_roles jsonb NOT NULL DEFAULT '[]',
  audience text,
  introspection boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT name_length CHECK (char_length(name) <= 200),
  CONSTRAINT issuer_length CHECK (char_length(issuer) <= 512),
  CONSTRAINT client_id_length CHECK (char_length(client_id) <= 512),
  CONSTRAINT sealed_client_secret_bytes CHECK (octet_length(sealed_client_secret) <= 6000),
  CONSTRAINT scope_length CHECK (char_length(scope) <= 512),
  CONSTRAINT default_role_length CHECK (char_length(default_role) <= 36),
  CONSTRAINT group_claim_length CHECK (char_length(group_claim) <= 200),
  CONSTRAINT group_roles_bytes CHECK (octet_length(group_roles::text) <= 65536),
  CONSTRAINT audience_length CHECK (char_length(audience) <= 512)
);
CREATE INDEX identity_providers_org_id ON identity_providers (org_id);
CREATE INDEX identity_providers_issuer ON identity_providers (issuer);
CREATE TABLE identity_domains (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  domain text NOT NULL,
  token text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  verified_at timestamptz(3),
  verified_by text,
  PRIMARY KEY (org_id, domain),
  CONSTRAINT domain_length CHECK (char_length(domain) <= 253),
  CONSTRAINT token_length CHECK (char_length(token) <= 64),
  CONSTRAINT verified_by_known CHECK (verified_by IN ('dns', 'operator'))
);
CREATE UNIQUE INDEX identity_domains_verified_key ON identity_domains (domain) WHERE verified_at IS NOT NULL;
CREATE TABLE user_identities (
  provider_id uuid NOT NULL REFERENCES identity_providers (id) ON DELETE CASCADE,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, subject),
  CONSTRAINT subject_length CHECK (char_length(subject) <= 255)
);
CREATE UNIQUE INDEX user_identities_user_key ON user_identities (user_id, provider_id);
CREATE TABLE spent_tokens (
  digest character(64) PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX spent_tokens_expires_at ON spent_tokens (expires_at);
ALTER TABLE api_keys ADD COLUMN identity_provider_id uuid
  REFERENCES identity_providers (id) ON DELETE CASCADE;
ALTER TABLE browser_sessions ADD COLUMN provider_sid text,
  ADD CONSTRAINT provider_sid_length CHECK (char_length(provider_sid) <= 255);
ALTER TABLE org_credential_rules ADD COLUMN only_provider_id uuid
  REFERENCES identity_providers (id) ON DELETE SET NULL`;

const DOWN = `
ALTER TABLE org_credential_rules DROP COLUMN only_provider_id;
ALTER TABLE browser_sessions DROP COLUMN provider_sid;
ALTER TABLE api_keys DROP COLUMN identity_provider_id;
DROP TABLE spent_tokens;
DROP TABLE user_identities;
DROP TABLE identity_domains;
DROP TABLE identity_providers`;

/** Providers of identities, the domains of mail that organizations have verified, and whose identities users have. */
export class IdentityProviders20261129013000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
