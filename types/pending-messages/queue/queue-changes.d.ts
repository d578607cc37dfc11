import { DataSource, Repository } from 'typeorm';
import { RunWaits } from '../after-run/run-waits';
import { PendingMessage } from '../record/pending-message.entity';
import { MessageLimits } from './message-limits';
/** What may change of a message while it is queued. */
export type MessageChange = Partial<Pick<PendingMessage, 'state' | 'content' | 'mode'>>;
/** Changes messages that are queued; what was held back by one of them goes out (docs/contract.md#changing-the-queue). */
export declare class QueueChanges {
    private readonly database;
    private readonly messages;
    private readonly waits;
    private readonly limits;
    constructor(database: DataSource, messages: Repository<PendingMessage>, waits: RunWaits, limits: MessageLimits);
    /** @throws MessageNotFoundError, MessageNotQueuedError, and those of {@link MessageLimits} */
    change(queueId: string, messageId: string, change: MessageChange): Promise<void>;
    /** @throws MessageNotQueuedError, OrderMismatchError, InitialMessageFirstError */
    reorder(queueId: string, ids: readonly string[]): Promise<void>;
}
