import type { SealedColumn } from '../../database';

/** Where the keys of users' own models are kept. */
export const SEALED_SETTINGS_KEYS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_llm_api_key',
  contextOf: (id) => `agent-settings:${id}`,
};
