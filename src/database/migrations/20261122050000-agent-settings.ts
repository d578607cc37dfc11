import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What users have set about the agents of their conversations. */
export class AgentSettings20261122050000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE agent_settings (
        id uuid NOT NULL PRIMARY KEY,
        user_id uuid CONSTRAINT agent_settings_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        org_id uuid CONSTRAINT agent_settings_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        llm_model text CONSTRAINT llm_model_length CHECK (char_length(llm_model) <= 255),
        llm_base_url text CONSTRAINT llm_base_url_length CHECK (char_length(llm_base_url) <= 2048),
        sealed_llm_api_key text
          CONSTRAINT sealed_llm_api_key_bytes CHECK (octet_length(sealed_llm_api_key) <= 8192),
        condenser_enabled boolean,
        condenser_max_size integer,
        confirmation_mode boolean,
        security_analyzer text
          CONSTRAINT security_analyzer_known CHECK (security_analyzer IN ('llm', 'none')),
        max_iterations integer,
        language text CONSTRAINT language_length CHECK (char_length(language) <= 35),
        disabled_skills jsonb NOT NULL DEFAULT '[]'
          CONSTRAINT disabled_skills_bytes CHECK (octet_length(disabled_skills::text) <= 1048576),
        enable_sound_notifications boolean NOT NULL DEFAULT true,
        git_user_name text CONSTRAINT git_user_name_length CHECK (char_length(git_user_name) <= 255),
        git_user_email text CONSTRAINT git_user_email_length CHECK (char_length(git_user_email) <= 320),
        user_consents_to_analytics boolean NOT NULL DEFAULT false,
        CONSTRAINT agent_settings_member_fkey FOREIGN KEY (org_id, user_id)
          REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
        CONSTRAINT agent_settings_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL)
      );
      CREATE UNIQUE INDEX agent_settings_owner_key ON agent_settings (
        coalesce(user_id, '00000000-0000-0000-0000-000000000000'),
        coalesce(org_id, '00000000-0000-0000-0000-000000000000'));
      CREATE INDEX agent_settings_org_id ON agent_settings (org_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_settings');
  }
}
