export { ACTOR_KINDS, auditFields, type AuditFields, OUTCOMES } from './kinds/audit-entry';
export { type DomainEvent, domainEventSchema } from './kinds/domain-event';
export {
  AUDIT_KIND,
  DOMAIN_EVENT_KINDS,
  type DomainEventKind,
  type DomainEventOf,
  type DomainEventPattern,
  type PublishedEvent,
  type TriggerKind,
} from './kinds/event-kinds';
export {
  type AnyDomainEvent,
  DomainEventKinds,
  type EventSchemas,
  type ExtensionEvent,
  type ExtensionEventKind,
  type ExtensionEventOf,
  isOfService,
} from './domain-event-kinds';
export { type DocumentedEvent, documentedEvents } from './documented-events';
export { AfterCommitListeners } from './after-commit-listeners';
export { DomainEvents, ExtensionEvents } from './domain-events';
export { DomainEventsModule } from './domain-events.module';
export { RemoteDomainEvents } from './domain-event-relay';
export { AuditEvents } from './log/audit-events';
export { DomainEventLog, type LogConsumer, type LoggedEvent } from './log/domain-event-log';
export { DomainEventReader, type LogPage } from './log/domain-event-reader';
export { FailedListenerJobs, type FailedListenerJob } from './failed-listener-jobs';
export type { AgentEventOf } from './listened-kinds';
export { type AfterCommit, OnDomainEvent, type OfEventKinds } from './on-domain-event';
