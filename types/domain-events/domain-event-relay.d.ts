import { DataSource, type EntityManager } from 'typeorm';
import { JobHandlers, JobQueue } from '../jobs';
import { type DomainEvent } from './domain-event';
import { DomainEvents } from './domain-events';
import { DomainEventLog } from './log/domain-event-log';
/**
 * Publishes to the service, from a process that does not know its listeners, such as the command line: every
 * event becomes a job, which a replica runs as soon as one is up.
 */
export declare class RemoteDomainEvents extends DomainEvents {
    private readonly queue;
    constructor(queue: JobQueue, handlers: JobHandlers, log: DomainEventLog);
    listensTo(): boolean;
    publish(transaction: EntityManager, ...events: readonly DomainEvent[]): Promise<void>;
}
/** Publishes in the service what {@link RemoteDomainEvents} stored, in a transaction of its own. */
export declare class DomainEventRelay {
    constructor(database: DataSource, events: DomainEvents, handlers: JobHandlers);
}
