export { AgentServerClient, type BashCommand, type BashResult, type EventQuery } from './agent-server-client';
export {
  AgentServerError,
  AgentServerFailedError,
  AgentServerRefusedError,
  AgentServerUnavailableError,
  EventMarkUnknownError,
} from './agent-server.errors';
export { AgentServerModule } from './agent-server.module';
export { embeddedAgentServerCommand } from './embedded-command';
export type { CallOptions } from './json-calls';
export type { AgentEvent, AgentServer, ConversationInfo, ServerInfo, SkillList } from './protocol';
export type { SendOutcome } from './send-outcome';
