import type { EntityManager } from 'typeorm';
import { JobHandlers, JobQueue, type RunningJob } from '../jobs';
import { type DomainEvent, type DomainEventKind } from './domain-event';
import { DomainEventLog } from './log/domain-event-log';
import type { AfterCommit } from './on-domain-event';
/** A listener as it was found; `context` is the transaction, or the job after the commit. */
export type ListenerMethod = (event: DomainEvent, context: EntityManager | RunningJob) => Promise<void>;
/** How often a listener failed in this process, by kind. */
export interface ListenerFailures {
    readonly listener: string;
    /** `unknown` for a stored event that no schema fits any more. */
    readonly kind: DomainEventKind | 'unknown';
    readonly count: number;
}
/** Logs what happens, and notifies the listeners of {@link OnDomainEvent}. */
export declare class DomainEvents {
    private readonly jobs;
    private readonly handlers;
    private readonly log;
    private readonly byKind;
    private readonly failed;
    constructor(jobs: JobQueue, handlers: JobHandlers, log: DomainEventLog);
    /**
     * Whether anybody listens to a kind. For changes made by one statement: only when somebody does, they need
     * a transaction and the ids that the event carries.
     * @param eventKind of `event.received`, the kind of the agent's event; without it, any
     */
    listensTo(kind: DomainEventKind, eventKind?: string): boolean;
    /**
     * Logs the events, calls the listeners inside the transaction one after the other, then stores a job for each of
     * the others.
     * @param transaction the one of the change
     * @throws whatever a listener throws; the change must then be rolled back
     */
    publish(transaction: EntityManager, ...events: readonly DomainEvent[]): Promise<void>;
    /**
     * Adds a listener; done at start for every decorated method.
     * @param eventKinds which of the agents' events it hears of `event.received`; null for all
     * @throws UnknownEventKindError, MalformedEventKindsError, DuplicateListenerError
     */
    register(patterns: readonly string[], listener: ListenerMethod, afterCommit: AfterCommit | null, eventKinds?: readonly string[] | null): void;
    /** Failed calls of listeners after the commit, in this process. */
    failures(): readonly ListenerFailures[];
    private handle;
    private countFailure;
}
/** @throws Error when no transaction is active */
export declare function assertInTransaction(transaction: EntityManager, events: readonly DomainEvent[]): void;
