import type { EntityManager } from 'typeorm';
import { type QueuedMessageReceipt } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import type { MessageMode } from '../record/message-modes';
import { MessageLimits } from './message-limits';
import { QUEUE_MESSAGE, type QueuedRow } from './queue.query';
/** Undelivered messages of one conversation (docs/contract.md#queue-limit). */
export declare const MAX_PENDING = 10;
/** What a message is made of: the JSON text of its blocks, as it came, and how it goes to an agent that runs. */
export interface NewMessage {
    readonly content: string;
    readonly mode: MessageMode;
}
/** Whose message it is, and the queue: of a conversation, or one that is kept under an id in an organization. */
export interface InsertionTarget {
    readonly userId: string;
    readonly conversationId: string | null;
    readonly early: {
        readonly key: string;
        readonly orgId: string;
    } | null;
}
/** Puts messages into their queues. */
export declare class MessageInsertion {
    private readonly jobs;
    private readonly events;
    private readonly limits;
    constructor(jobs: JobQueue, events: DomainEvents, limits: MessageLimits);
    /** The statement that queues a message in a mode. */
    statementFor(mode: MessageMode): typeof QUEUE_MESSAGE;
    /**
     * Queues a message, with a job that delivers it when nobody else delivers from the queue.
     * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
     */
    insert(transaction: EntityManager, { userId, conversationId, early }: InsertionTarget, { content, mode }: NewMessage): Promise<QueuedMessageReceipt>;
    /**
     * Reads what became of a message that was to be queued.
     * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
     */
    accepted(row: QueuedRow | undefined): {
        readonly queueId: string;
        readonly position: number;
    };
}
