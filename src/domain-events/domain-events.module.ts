import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DomainEventRelay } from './domain-event-relay';
import { DomainEvents } from './domain-events';
import { FailedListenerJobs } from './failed-listener-jobs';
import { ListenerDiscovery } from './listener-discovery';

/** Publishes events to listeners. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [DomainEvents, DomainEventRelay, FailedListenerJobs, ListenerDiscovery],
  exports: [DomainEvents, FailedListenerJobs],
})
export class DomainEventsModule {}
