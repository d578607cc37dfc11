export { AgentServerClient, type SendControl } from './client/agent-server-client';
export {
  AgentServerBusyError,
  AgentServerError,
  AgentServerFailedError,
  AgentServerRefusedError,
  AgentServerUnavailableError,
  EventMarkUnknownError,
} from './client/agent-server.errors';
export { EventSocket, type EventSocketOwner } from './client/event-socket';
export { Connections, type Route } from './client/exchange/connections';
export { AgentServerModule } from './agent-server.module';
export type { ServerModels } from './client/calls/model-calls';
export type { EventQuery } from './client/calls/event-calls';
export type { CallOptions } from './client/json-calls';
export {
  type AgentEvent,
  type AgentServer,
  type ConversationInfo,
  type Gateway,
  type GatewayTls,
  IDEMPOTENT_START,
  type ServerInfo,
  type SkillList,
} from './client/protocol';
export type { SendOutcome } from './client/send-outcome';
export type { BashCommand, BashResult } from './client/calls/workspace-calls';
