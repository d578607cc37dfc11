import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DomainEventRelay } from './domain-event-relay';
import { DomainEvents } from './domain-events';
import { FailedListenerJobs } from './failed-listener-jobs';
import { ListenerDiscovery } from './listener-discovery';
import { CommitSubscriber } from './log/commit-subscriber';
import { DomainEventLog } from './log/domain-event-log';
import { DomainEventSequencer } from './log/domain-event-sequencer';

/** Publishes events to listeners. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    CommitSubscriber,
    DomainEventLog,
    DomainEvents,
    DomainEventRelay,
    DomainEventSequencer,
    FailedListenerJobs,
    ListenerDiscovery,
  ],
  exports: [DomainEventLog, DomainEvents, FailedListenerJobs],
})
export class DomainEventsModule {}
