CREATE TABLE agent_settings (
  id uuid PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  llm_model text,
  llm_base_url text,
  sealed_llm_api_key text,
  condenser_enabled boolean,
  condenser_max_size integer,
  confirmation_mode boolean,
  security_analyzer text,
  max_iterations integer,
  language text,
  disabled_skills jsonb NOT NULL DEFAULT '[]'::jsonb,
  enable_sound_notifications boolean NOT NULL DEFAULT true,
  git_user_name text,
  git_user_email text,
  user_consents_to_analytics boolean NOT NULL DEFAULT false,
  sealed_mcp_config text,
  sealed_llm_options text,
  CONSTRAINT agent_settings_member_fkey
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT agent_settings_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL),
  CONSTRAINT disabled_skills_bytes CHECK (octet_length(disabled_skills::text) <= 1048576),
  CONSTRAINT git_user_email_length CHECK (char_length(git_user_email) <= 320),
  CONSTRAINT git_user_name_length CHECK (char_length(git_user_name) <= 255),
  CONSTRAINT language_length CHECK (char_length(language) <= 35),
  CONSTRAINT llm_base_url_length CHECK (char_length(llm_base_url) <= 2048),
  CONSTRAINT llm_model_length CHECK (char_length(llm_model) <= 255),
  CONSTRAINT sealed_llm_api_key_bytes CHECK (octet_length(sealed_llm_api_key) <= 8192),
  CONSTRAINT sealed_llm_options_bytes CHECK (octet_length(sealed_llm_options) <= 262144),
  CONSTRAINT sealed_mcp_config_bytes CHECK (octet_length(sealed_mcp_config) <= 131072),
  CONSTRAINT security_analyzer_known CHECK (security_analyzer IN ('llm', 'none'))
);
CREATE INDEX agent_settings_org_id ON agent_settings (org_id);
CREATE UNIQUE INDEX agent_settings_owner_key ON agent_settings (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid));

CREATE TABLE llm_profiles (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  model text NOT NULL,
  base_url text,
  sealed_api_key text,
  is_active boolean NOT NULL DEFAULT false,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  sealed_options text,
  CONSTRAINT llm_profiles_member_fkey
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
  CONSTRAINT llm_profiles_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL),
  CONSTRAINT model_length CHECK (char_length(model) <= 255),
  CONSTRAINT name_length CHECK (char_length(name) <= 100),
  CONSTRAINT sealed_api_key_bytes CHECK (octet_length(sealed_api_key) <= 8192),
  CONSTRAINT sealed_options_bytes CHECK (octet_length(sealed_options) <= 262144)
);
CREATE UNIQUE INDEX llm_profiles_active_key ON llm_profiles (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid))
  WHERE is_active;
CREATE UNIQUE INDEX llm_profiles_name_key ON llm_profiles (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid), name);
CREATE INDEX llm_profiles_org_id ON llm_profiles (org_id);

CREATE TABLE agent_profiles (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  llm_profile_ref text,
  revision integer NOT NULL DEFAULT 1,
  is_active boolean NOT NULL DEFAULT false,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT agent_profiles_member_fkey
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT agent_profiles_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL),
  CONSTRAINT llm_profile_ref_length CHECK (char_length(llm_profile_ref) <= 100),
  CONSTRAINT name_length CHECK (char_length(name) <= 100)
);
CREATE UNIQUE INDEX agent_profiles_active_key ON agent_profiles (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid))
  WHERE is_active;
CREATE UNIQUE INDEX agent_profiles_name_key ON agent_profiles (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid), name);
CREATE INDEX agent_profiles_org_id ON agent_profiles (org_id);

CREATE TABLE provider_connections (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  provider text NOT NULL,
  base_url text,
  sealed_api_key text,
  CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
  CONSTRAINT provider_length CHECK (char_length(provider) <= 100),
  CONSTRAINT sealed_api_key_bytes CHECK (octet_length(sealed_api_key) <= 8192)
);
CREATE UNIQUE INDEX provider_connections_org_provider_key ON provider_connections (org_id, provider);

CREATE TABLE user_secrets (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  sealed_value text NOT NULL,
  CONSTRAINT user_secrets_member_fkey
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT description_length CHECK (char_length(description) <= 1000),
  CONSTRAINT name_length CHECK (char_length(name) <= 128),
  CONSTRAINT sealed_value_bytes CHECK (octet_length(sealed_value) <= 92160)
);
CREATE UNIQUE INDEX user_secrets_name_key ON user_secrets (
  user_id, coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid), name);
CREATE INDEX user_secrets_org_id ON user_secrets (org_id);

CREATE TABLE git_credentials (
  id uuid PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  org_id uuid REFERENCES organizations (id) ON DELETE CASCADE,
  url_prefix text NOT NULL,
  username text NOT NULL,
  sealed_password text NOT NULL,
  git_provider text,
  CONSTRAINT git_credentials_member_fkey
    FOREIGN KEY (org_id, user_id) REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
  CONSTRAINT git_credentials_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL),
  CONSTRAINT git_provider_known
    CHECK (git_provider IN ('github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops')),
  CONSTRAINT sealed_password_bytes CHECK (octet_length(sealed_password) <= 8192),
  CONSTRAINT url_prefix_length CHECK (char_length(url_prefix) <= 2048),
  CONSTRAINT username_length CHECK (char_length(username) <= 255)
);
CREATE INDEX git_credentials_org_id ON git_credentials (org_id);
CREATE UNIQUE INDEX git_credentials_prefix_key ON git_credentials (
  coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid),
  coalesce(org_id, '00000000-0000-0000-0000-000000000000'::uuid), url_prefix);
