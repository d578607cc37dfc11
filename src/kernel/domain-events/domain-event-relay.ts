import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { JobHandlers, JobQueue } from '../jobs';
import { AfterCommitListeners } from './after-commit-listeners';
import type { PublishedEvent } from './kinds/event-kinds';
import { DomainEventKinds, type ExtensionEvent, isPublished } from './domain-event-kinds';
import { assertInTransaction, DomainEvents } from './domain-events';
import { DomainEventLog } from './log/domain-event-log';

const RELAY_JOB = 'domain-event-relay';

/**
 * Publishes to the service, from a process that does not know its listeners, such as the command line: every
 * event becomes a job, which a replica runs as soon as one is up.
 */
@Injectable()
export class RemoteDomainEvents extends DomainEvents {
  constructor(
    private readonly queue: JobQueue,
    afterCommit: AfterCommitListeners,
    log: DomainEventLog,
    kinds: DomainEventKinds,
  ) {
    super(afterCommit, log, kinds);
  }

  override async publish(
    transaction: EntityManager,
    ...events: readonly (PublishedEvent | ExtensionEvent)[]
  ): Promise<void> {
    assertInTransaction(transaction, events);
    await this.queue.addAll(
      transaction,
      events.map((event) => ({ name: RELAY_JOB, payload: event })),
    );
  }
}

/** Publishes in the service what {@link RemoteDomainEvents} stored, in a transaction of its own. */
@Injectable()
export class DomainEventRelay {
  constructor(
    @InjectDataSource() database: DataSource,
    events: DomainEvents,
    handlers: JobHandlers,
    kinds: DomainEventKinds,
  ) {
    handlers.register(RELAY_JOB, kinds.schema, (event) =>
      database.transaction(async (transaction) => {
        if (isPublished(event)) await events.publish(transaction, event);
      }),
    );
  }
}
