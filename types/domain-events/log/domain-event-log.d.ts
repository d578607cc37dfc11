import type { EntityManager } from 'typeorm';
import type { DomainEvent } from '../domain-event';
/** An event in its place. */
export interface LoggedEvent {
    /** Higher than those of all events whose changes were committed and numbered before it; a decimal number. */
    readonly position: string;
    readonly event: DomainEvent;
    /** When it was logged. */
    readonly at: Date;
}
/** What reads every event once, in the order of positions. */
export interface LogConsumer {
    /** Whether somebody waits for the next events; otherwise they are numbered once a second. */
    isWaiting(): boolean;
    /**
     * Takes a batch in the transaction that gives it positions: what it writes commits with them. Must be quick.
     * @throws whatever; the batch then comes again
     */
    take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void>;
    /** The batch was committed by this process. */
    committed(): void;
}
/**
 * Stores what happens in organizations, in the transaction of the change, whoever listens
 * (docs/decisions/0036-log-of-domain-events.md).
 */
export declare class DomainEventLog {
    private readonly taking;
    private readonly hearers;
    /** Who reads the log. */
    get consumers(): readonly LogConsumer[];
    /** Adds a reader; done while the service starts. */
    consume(consumer: LogConsumer): void;
    /** Stores events of organizations; those that triggers store are left to them, and others belong to no log. */
    add(transaction: EntityManager, events: readonly DomainEvent[]): Promise<void>;
    /** A change was committed that may have been logged. */
    written(): void;
    /** Calls back after every commit of this process that may have logged something. */
    onWritten(hear: () => void): void;
}
