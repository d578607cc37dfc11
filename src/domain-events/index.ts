export {
  DOMAIN_EVENT_KINDS,
  type DomainEvent,
  type DomainEventKind,
  type DomainEventOf,
  type DomainEventPattern,
  domainEventSchema,
} from './domain-event';
export { DomainEvents, type ListenerFailures } from './domain-events';
export { DomainEventsModule } from './domain-events.module';
export { RemoteDomainEvents } from './domain-event-relay';
export { DomainEventLog, type LogConsumer, type LoggedEvent } from './log/domain-event-log';
export { DomainEventReader, type LogPage } from './log/domain-event-reader';
export { FailedListenerJobs, type FailedListenerJob } from './failed-listener-jobs';
export { type AfterCommit, OnDomainEvent } from './on-domain-event';
