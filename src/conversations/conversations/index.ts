export { ConversationReports } from './reports/conversation-reports';
export {
  type AppConversation,
  ConversationPath,
  LATEST_CONVERSATION,
} from './app-conversations/app-conversation.dto';
export { RecordResponses } from './app-conversations/record-responses';
export { AgentListeners } from './agent-messages/agent-listeners';
export { AgentMessages, type MessageOutcome } from './agent-messages/agent-messages';
export { AgentMessagesModule } from './agent-messages/agent-messages.module';
export { AgentWork } from './agent-messages/agent-work';
export { ConversationAccess } from './access/conversation-access';
export { type ConversationServer, ConversationServers } from './access/conversation-servers';
export {
  ConversationQueue,
  type InitialMessage,
  type QueuedFor,
  type QueuedMessageReceipt,
  type RemovedMessages,
  type StoppedMessages,
} from './queue/conversation-queue';
export {
  OrganizationMessageBytesError,
  QueueClosedError,
  QueueFullError,
  UserMessageBytesError,
} from './queue/conversation-queue.errors';
export { ConversationQueueModule } from './queue/conversation-queue.module';
export { Conversations, type GivenStart } from './conversations';
export { ExpiredConversations, MessageQueuedMeanwhileError } from './expiry/expired-conversations';
export { PersonalConversations } from './personal/personal-conversations';
export type { OrgConversationPage, OrgConversationsQuery } from './org-list/list/org-conversations.dto';
export type { AppConversationStartTask } from './start/tasks/start-task.dto';
export type { PreparedStart } from './start/request/start-conversation.service';
export type { ConversationRow } from './record/conversation-row';
export {
  contentJson,
  messageJson,
  type ContentBlock,
  contentBlock,
  type GivenContentBlock,
} from './send-message/send-message.dto';
export { OWN_EVENT } from './stop/own-event';
export { ConversationNotFoundError } from './record/conversations.errors';
export { ConversationsModule } from './conversations.module';
export { shownSandboxStatus } from './record/sandbox-status';
export { rebuildConversationCounts } from './org-list/counters/counter-rebuild';
export { MESSAGE_MEBIBYTES } from './send-message/send-message.controller';
export { MAX_AGENT_KIND, MAX_MODEL, MAX_TITLE } from './record/text-limits';
export { storedExecutionStatus, type ExecutionStatus } from './record/conversation.enums';
export {
  type ReportedConversation,
  type ReportedMetrics,
  type ReportedState,
  reportKinds,
  reportValues,
} from './reports/reported-state';
export { SEALED_START_SECRETS } from './start/tasks/start-secrets';
export type { AppConversationUpdate } from './app-conversations/conversation-update.dto';
