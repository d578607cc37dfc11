import { DataSource } from 'typeorm';
import { type Settings } from '../../config';
import { DomainEvents } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
/** Expires early queues, deletes what is done, and restarts queues that nobody delivers from. */
export declare class QueueCleanUp {
    private readonly database;
    private readonly jobs;
    private readonly events;
    private readonly settings;
    constructor(database: DataSource, jobs: JobQueue, events: DomainEvents, settings: Settings, handlers: JobHandlers);
    /** Messages for a conversation that nobody starts fail after 24 hours (docs/contract.md#queue-ids). */
    private endEarly;
    /** Delivered messages stay while the outcome of another is unknown: they account for what is in its log. */
    private deleteDone;
    /** A safety net: a queue that could be delivered from and has no job gets one. */
    private restartStalled;
}
