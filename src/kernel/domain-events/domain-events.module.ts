import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Notifications, sessionUrl } from '../database';
import { AfterCommitListeners } from './after-commit-listeners';
import { DomainEventKinds, type EventSchemas } from './domain-event-kinds';
import { DomainEventRelay } from './domain-event-relay';
import { DomainEvents, ExtensionEvents } from './domain-events';
import { FailedListenerJobs } from './failed-listener-jobs';
import { ListenerDiscovery } from './listener-discovery';
import { AuditEvents } from './log/audit-events';
import { CommitNotices } from './log/commit-notices';
import { CommitSubscriber } from './log/commit-subscriber';
import { DomainEventLog } from './log/domain-event-log';
import { DomainEventReader } from './log/domain-event-reader';
import { DomainEventSequencer } from './log/domain-event-sequencer';

/** Publishes events to listeners. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AfterCommitListeners,
    AuditEvents,
    CommitNotices,
    CommitSubscriber,
    DomainEventLog,
    DomainEventReader,
    DomainEvents,
    DomainEventRelay,
    DomainEventSequencer,
    ExtensionEvents,
    FailedListenerJobs,
    ListenerDiscovery,
    {
      provide: Notifications,
      inject: [getDataSourceToken()],
      useFactory: (database: DataSource) => new Notifications(sessionUrl(database)),
    },
  ],
  exports: [
    AfterCommitListeners,
    AuditEvents,
    DomainEventKinds,
    DomainEventLog,
    DomainEventReader,
    DomainEvents,
    ExtensionEvents,
    FailedListenerJobs,
    Notifications,
  ],
})
export class DomainEventsModule {
  /** @param schemas of events of extensions */
  static forRoot(schemas: EventSchemas): DynamicModule {
    return {
      module: DomainEventsModule,
      providers: [{ provide: DomainEventKinds, useValue: new DomainEventKinds(schemas) }],
    };
  }
}
