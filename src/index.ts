/**
 * What extensions import from `org-conversation-service` (docs/extending.md). All of it is public: what is taken away or
 * changed here is a new major version.
 */
import 'reflect-metadata';

export { type AuditedDeed, AuditTrail } from './kernel/audit';
export { agentServerEnvironment, modelEnvironment } from './drivers';
export { embeddedAgentServerCommand } from './appliance/embedded-agent-server';
export {
  Access,
  type Actor,
  Actors,
  type Caller,
  CredentialVerifiers,
  CurrentCaller,
  CurrentOrg,
  CurrentSandbox,
  type ExtensionPermission,
  type ExternalVerifier,
  type OrgContext,
  type Permission,
  PermissionTable,
  Public,
  type Role,
  ROLES,
  RecentSignIn,
  type RequestHeaders,
  SandboxAccess,
  type SandboxCaller,
  type ServiceActor,
  type UserActor,
  type VerifiedPerson,
} from './kernel/auth';
export { AppError, clampLimit, Clock, newId, type Page, pageOf, StartError } from './kernel/common';
export { SETTINGS, type Settings } from './kernel/config';
export {
  type AgentEventOf,
  type DomainEvent,
  type DomainEventKind,
  type DomainEventOf,
  type ExtensionEvent,
  type ExtensionEventOf,
  ExtensionEvents,
  OnDomainEvent,
} from './kernel/domain-events';
export {
  type CommandHandler,
  type CommandOption,
  type CommandOptions,
  type CommandsByName,
  defineExtension,
  type DescribedCommand,
  type Extension,
  type ExtensionCommand,
  type ExtensionModule,
  settingsOf,
} from './operations/extensions';
export type { ConsolePagesByName, ExtensionPage } from './appliance/console';
export type { HealthCheck, HealthChecksByName } from './kernel/health';
export { ApiErrors, Metrics } from './kernel/http';
export {
  JobHandlers,
  type JobHandler,
  JobQueue,
  type NewJob,
  type Pace,
  type RunningJob,
} from './kernel/jobs';
export { type EmailMessage, Mailer, MailModule, type MailOutcome, type MailTransport } from './accounts/mail';
export { type GivenRegistration, Marketplaces, SkillsModule } from './agents/skills';
export { ApiKeysModule, KeyPolicies, type KeyPolicy, type WantedKey } from './accounts/api-keys';
export { type BatchInvitationResponse, Invitations, InvitationsModule } from './accounts/invitations';
export {
  type Account,
  Accounts,
  Members,
  MembershipService,
  type OrganizationResponse,
  Organizations,
  type OrgMemberResponse,
  OrgsModule,
} from './accounts/orgs';
export {
  type AppConversation,
  type AppConversationStartTask,
  type AppConversationUpdate,
  Conversations,
  ConversationsModule,
  type GivenContentBlock,
  type GivenStart,
  type OrgConversationPage,
  type OrgConversationsQuery,
  type PreparedStart,
} from './conversations/conversations';
export {
  type EventPosition,
  Events,
  type EventsFromPosition,
  EventsModule,
  type Note,
} from './conversations/events';
export {
  type GivenMessage,
  type PendingMessageResponse,
  PendingMessages,
  PendingMessagesModule,
  type QueuedMessage,
} from './conversations/pending-messages';
export { runService, type RunOptions } from './run-service';
export { SandboxDrivers, Sandboxes, SandboxesModule, type SandboxInfo } from './sandboxes/sandboxes';
export {
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type StartedServer,
} from './sandboxes/driver-port';
export {
  anything,
  BodyList,
  boolean,
  dateTime,
  dictionary,
  email,
  Field,
  integer,
  list,
  literal,
  model,
  number,
  oneOf,
  string,
  union,
  uuid,
} from './kernel/validation';
