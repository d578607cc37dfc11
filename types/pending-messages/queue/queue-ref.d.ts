import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { type Caller, OrgResolution } from '../../auth';
import type { MessageQueue } from '../record/message-queue.entity';
/** Which queue a path names: that of a conversation, or one kept for the caller under an id of their choice. */
export type QueueRef = {
    readonly kind: 'conversation';
    readonly conversationId: string;
    readonly orgId: string;
} | {
    readonly kind: 'early';
    readonly key: string;
    readonly orgId: string;
};
/** Finds the queue of a ref. */
export declare function whereQueue(ref: QueueRef, userId: string): FindOptionsWhere<MessageQueue>;
/**
 * Finds the queue behind the id of a path: all spellings of an id meet in one queue
 * (docs/contract.md#queue-ids).
 */
export declare class QueueRefs {
    private readonly database;
    private readonly organizations;
    constructor(database: DataSource, organizations: OrgResolution);
    /**
     * @param text a conversation's or start task's id in any UUID spelling, the task's also as `task-<32 hex>`,
     *   or any other text for a conversation that does not exist yet
     * @throws IdTooLongError, QueueNotFoundError, and the errors of the effective organization for such a text
     */
    find(caller: Caller, text: string, transaction?: EntityManager): Promise<QueueRef>;
    /** As {@link find}, for who only wants to see what became of messages: deleted conversations count too. */
    findToRead(caller: Caller, text: string): Promise<QueueRef>;
    private named;
    /** One that is kept for the caller in the organization they act in. */
    private early;
}
