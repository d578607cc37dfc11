export { AgentSettingsModule } from './agent-settings.module';
export { type ListedMcp } from './mcp/listed-mcp';
export { enabledServers } from './mcp/mcp-config';
export { condenser } from './start/condenser';
export { type ConversationAgent, ConversationAgents } from './start/conversation-agents';
export { agentServerLlm } from './start/llm';
export {
  SEALED_CONNECTION_KEYS,
  SEALED_MCP_CONFIGS,
  SEALED_PROFILE_KEYS,
  SEALED_PROFILE_OPTIONS,
  SEALED_SETTINGS_KEYS,
  SEALED_SETTINGS_OPTIONS,
} from './record/sealed-model-keys';
export { ProfileNotFoundError } from './record/profile-errors';
