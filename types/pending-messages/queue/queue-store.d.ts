import { DataSource, type EntityManager } from 'typeorm';
import { ConversationQueue, type InitialMessage, type QueuedFor, type QueuedMessageReceipt } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { MessageInsertion } from './message-insertion';
import { MessageLimits } from './message-limits';
/** The queues as conversations see them: they open, fill, resume and close one. */
export declare class QueueStore extends ConversationQueue {
    private readonly database;
    private readonly jobs;
    private readonly events;
    private readonly limits;
    private readonly insertion;
    constructor(database: DataSource, jobs: JobQueue, events: DomainEvents, limits: MessageLimits, insertion: MessageInsertion);
    add(transaction: EntityManager, { conversationId, userId }: Pick<QueuedFor, 'conversationId' | 'userId'>, content: string): Promise<QueuedMessageReceipt>;
    isAhead(conversationId: string): Promise<boolean>;
    open(transaction: EntityManager, conversation: QueuedFor, initial: InitialMessage | null): Promise<void>;
    resume(transaction: EntityManager, conversationId: string): Promise<void>;
    close(transaction: EntityManager, conversationIds: readonly string[], reason: string): Promise<void>;
    private create;
}
/** Held by who starts a conversation and by who queues for one that is not there yet. */
export declare function lockUser(transaction: EntityManager, userId: string): Promise<void>;
