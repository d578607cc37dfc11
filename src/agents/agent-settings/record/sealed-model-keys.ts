import type { SealedColumn } from '../../../kernel/database';

/** The column that stores the keys of users' own models. */
export const SEALED_SETTINGS_KEYS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_llm_api_key',
  contextOf: (id) => `agent-settings:${id}`,
};

/** The column that stores the other settings of users' own models. */
export const SEALED_SETTINGS_OPTIONS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_llm_options',
  contextOf: (id) => `agent-settings-options:${id}`,
};

/** The column that stores the other settings of model profiles. */
export const SEALED_PROFILE_OPTIONS: SealedColumn = {
  table: 'llm_profiles',
  column: 'sealed_options',
  contextOf: (id) => `llm-profile-options:${id}`,
};

/** The column that stores the keys of model profiles. */
export const SEALED_PROFILE_KEYS: SealedColumn = {
  table: 'llm_profiles',
  column: 'sealed_api_key',
  contextOf: (id) => `llm-profile:${id}`,
};

/** The column that stores the keys of provider connections. */
export const SEALED_CONNECTION_KEYS: SealedColumn = {
  table: 'provider_connections',
  column: 'sealed_api_key',
  contextOf: (id) => `provider-connection:${id}`,
};

/** Where the MCP servers of users are kept. */
export const SEALED_MCP_CONFIGS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_mcp_config',
  contextOf: (id) => `agent-settings-mcp:${id}`,
};
