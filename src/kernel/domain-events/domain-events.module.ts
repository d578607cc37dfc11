import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Notifications, sessionUrl } from '../database';
import { AfterCommitListeners } from './after-commit-listeners';
import { DomainEventRelay } from './domain-event-relay';
import { DomainEvents } from './domain-events';
import { FailedListenerJobs } from './failed-listener-jobs';
import { ListenerDiscovery } from './listener-discovery';
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
    CommitNotices,
    CommitSubscriber,
    DomainEventLog,
    DomainEventReader,
    DomainEvents,
    DomainEventRelay,
    DomainEventSequencer,
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
    DomainEventLog,
    DomainEventReader,
    DomainEvents,
    FailedListenerJobs,
    Notifications,
  ],
})
export class DomainEventsModule {}
