import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import type { MessageMode } from '../record/message-modes';
import { type QueueLease } from '../leases/queue-lease';
/** The message a queue delivers next, or whose outcome is unknown. */
export interface QueueHead {
    readonly id: string;
    readonly rank: string;
    readonly mode: MessageMode;
    readonly role: string;
    readonly content: string;
    readonly run: boolean;
    /** The event that a message whose outcome is unknown was sent after. */
    readonly mark_event_id: string | null;
}
/** The queue and its first message as a delivery run finds them. */
export interface QueueSnapshot {
    /** Why nothing more is delivered: it was closed, or its sender has left the organization. */
    readonly closedReason: string | null;
    /** Milliseconds until it may be tried again; null when no time was set. */
    readonly waitMs: number | null;
    /** The conversation, when it is ready. */
    readonly conversationId: string | null;
    readonly sandboxId: string | null;
    /** The last rank assigned: shows whether a message has come since. */
    readonly lastRank: string;
    readonly message: QueueHead | null;
    /** It was sent, and its outcome was never recorded. */
    readonly isOutcomeUnknown: boolean;
}
/** What comes after a delivery: a message that is marked already, the end of the lease, or that the queue has to be read again. */
export type DeliveryResult = {
    readonly kind: 'next';
    readonly message: QueueHead;
} | {
    readonly kind: 'done' | 'read again';
};
/** Why and for how long a run pauses. */
export interface DeliveryPause {
    /** `back-off`: longer after each failure in a row. */
    readonly ms: number | 'back-off';
    /** The outcome of a message is unknown: its settling time is not cut short by anything. */
    readonly settling: boolean;
}
/**
 * What a delivery run reads and writes; every write takes effect only while the run has the lease. Times are the
 * database's, so that the clocks of replicas may differ.
 */
export declare class DeliveryRepository {
    private readonly database;
    private readonly jobs;
    private readonly events;
    constructor(database: DataSource, jobs: JobQueue, events: DomainEvents);
    readHead({ queueId }: QueueLease): Promise<QueueSnapshot>;
    /**
     * Records that a message is about to be sent, and after which event. The time of a next try is cleared:
     * a run that finds the message after a crash has to begin a settling time of its own.
     * @returns false when it is not to be sent as it was read: cancelled, edited or moved meanwhile, or in another mode
     */
    markSending(lease: QueueLease, message: QueueHead, markEventId: string | null): Promise<boolean>;
    /**
     * The agent server has the message. In the same statement the next one is marked, or the lease is ended
     * when there is none.
     * @param mark the event that the next message is sent after; undefined when none is to be sent yet
     */
    recordDelivery(lease: QueueLease, messageId: string, mark: string | null | undefined): Promise<DeliveryResult>;
    /** The message will never arrive: the agent server will not take it, or that can no longer be found out. */
    recordFailure(lease: QueueLease, messageId: string, reason: string): Promise<void>;
    /** The message was definitely not stored: returns it to `queued`, where it can be cancelled. */
    requeue(lease: QueueLease, messageId: string, reason: string): Promise<void>;
    /** Records why a message is not delivered yet; its state stays as it is. */
    recordReason(lease: QueueLease, messageId: string, reason: string): Promise<void>;
    /** Contents of the messages whose delivery was recorded, after the same mark or after any. */
    deliveredContents(lease: QueueLease, after: {
        readonly mark: string | null;
    } | 'any'): Promise<string[]>;
    /** The conversation can never run again: nothing of the queue will be delivered. */
    failAll(lease: QueueLease, reason: string): Promise<void>;
    /**
     * Ends the lease: nothing is left, or another job says when to go on.
     * @param lastRank given when the queue was found empty; a message enqueued since has a higher rank and keeps
     *   the lease
     * @returns false when something has come meanwhile, and the lease goes on
     */
    release(lease: QueueLease, lastRank: string | null): Promise<boolean>;
    /**
     * Ends the lease, and has another run go on later.
     * @returns false when a run was requested meanwhile: the lease goes on
     */
    releaseUntil(lease: QueueLease, { ms, settling }: DeliveryPause): Promise<boolean>;
    /** Ends the lease of a run that failed or was interrupted, and has another one try. */
    giveUp(lease: QueueLease, isInterrupted: boolean): Promise<void>;
    private recordAndPublish;
    /** @returns how many messages failed */
    private fail;
    private write;
}
