export { AgentSettingsModule } from './agent-settings.module';
export { type ListedMcp } from './mcp/shown-mcp';
export { enabledServers } from './mcp/mcp-config';
export { condenser } from './start/condenser';
export { type ConversationAgent, ConversationAgents } from './start/conversation-agents';
export {
  ConversationModels,
  type FoundModel,
  type ListedModels,
  type ModelCaller,
  type ModelTarget,
} from './start/conversation-models';
export { agentServerLlm, type NamedLlm, providerOf } from './start/llm';
export { isOfConnection } from './model-settings/model-fields';
export { ModelReach } from './start/model-reach';
export { SEALED_PROFILE_KEYS, SEALED_PROFILE_OPTIONS } from './llm-profiles/llm-profiles.repository';
export { SEALED_CONNECTION_KEYS } from './provider-connections/provider-connections.service';
export {
  SEALED_MCP_CONFIGS,
  SEALED_SETTINGS_KEYS,
  SEALED_SETTINGS_OPTIONS,
} from './record/agent-settings.repository';
export { ProfileNotFoundError } from './record/profile-errors';
