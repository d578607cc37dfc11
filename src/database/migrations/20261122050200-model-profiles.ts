import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** The columns of who owns a row of a table. */
const ownerOf = (table: string): string => `
  user_id uuid CONSTRAINT ${table}_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid CONSTRAINT ${table}_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT ${table}_member_fkey FOREIGN KEY (org_id, user_id)
    REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT ${table}_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL)`;

/** The columns of an index that tells owners apart. */
const OWNER_KEY = `
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000')`;

const NAME = 'name text NOT NULL CONSTRAINT name_length CHECK (char_length(name) <= 100)';

/** Models to choose from, agents that run on them, and keys for the APIs of providers. */
export class ModelProfiles20261122050200 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE llm_profiles (
        id uuid NOT NULL PRIMARY KEY,
        ${NAME},
        model text NOT NULL CONSTRAINT model_length CHECK (char_length(model) <= 255),
        base_url text CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
        sealed_api_key text CONSTRAINT sealed_api_key_bytes CHECK (octet_length(sealed_api_key) <= 8192),
        is_active boolean NOT NULL DEFAULT false,
        ${ownerOf('llm_profiles')}
      );
      CREATE UNIQUE INDEX llm_profiles_name_key ON llm_profiles (${OWNER_KEY}, name);
      CREATE UNIQUE INDEX llm_profiles_active_key ON llm_profiles (${OWNER_KEY}) WHERE is_active;
      CREATE INDEX llm_profiles_org_id ON llm_profiles (org_id);

      CREATE TABLE agent_profiles (
        id uuid NOT NULL PRIMARY KEY,
        ${NAME},
        llm_profile_ref text CONSTRAINT llm_profile_ref_length CHECK (char_length(llm_profile_ref) <= 100),
        revision integer NOT NULL DEFAULT 1,
        is_active boolean NOT NULL DEFAULT false,
        ${ownerOf('agent_profiles')}
      );
      CREATE UNIQUE INDEX agent_profiles_name_key ON agent_profiles (${OWNER_KEY}, name);
      CREATE UNIQUE INDEX agent_profiles_active_key ON agent_profiles (${OWNER_KEY}) WHERE is_active;
      CREATE INDEX agent_profiles_org_id ON agent_profiles (org_id);

      CREATE TABLE provider_connections (
        id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL
          CONSTRAINT provider_connections_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        provider text NOT NULL CONSTRAINT provider_length CHECK (char_length(provider) <= 100),
        base_url text CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
        sealed_api_key text CONSTRAINT sealed_api_key_bytes CHECK (octet_length(sealed_api_key) <= 8192)
      );
      CREATE UNIQUE INDEX provider_connections_org_provider_key ON provider_connections (org_id, provider);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_connections; DROP TABLE agent_profiles; DROP TABLE llm_profiles');
  }
}
