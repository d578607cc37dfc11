import { DataSource, Repository } from 'typeorm';
import type { Caller } from '../../auth';
import { type JsonResponse, LargeResponses } from '../../http';
import { MessageQueue } from '../record/message-queue.entity';
import type { MessageMode } from '../record/message-modes';
import type { MessageState } from '../record/message-states';
import type { PendingMessageResponse } from './pending-messages.dto';
import { QueueRefs } from './queue-ref';
import { MessageEnqueuer } from './message-enqueuer';
import { type MessageChange, QueueChanges } from './queue-changes';
/**
 * Takes messages for later, lists them and lets their sender change their mind
 * (docs/contract.md#changing-the-queue).
 */
export declare class PendingMessagesService {
    private readonly database;
    private readonly queues;
    private readonly refs;
    private readonly enqueuer;
    private readonly changes;
    private readonly large;
    constructor(database: DataSource, queues: Repository<MessageQueue>, refs: QueueRefs, enqueuer: MessageEnqueuer, changes: QueueChanges, large: LargeResponses);
    /**
     * Queues a message; it is stored once this returns. An early queue that was closed is opened again.
     * @param content the JSON text of its blocks, as it came
     * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError, and those of MessageLimits
     */
    add(caller: Caller, conversation: string, content: string, mode?: MessageMode): Promise<PendingMessageResponse>;
    /**
     * The messages of a queue in the given states, as the JSON text of a `QueuedMessageList`. That of a deleted
     * conversation can still be read: it shows which messages failed because of that.
     * @param pageId the message that the page begins with
     * @throws TooManyLargeResponsesError
     */
    list(caller: Caller, conversation: string, states?: readonly MessageState[], pageId?: string): Promise<JsonResponse>;
    /** @throws MessageNotFoundError, MessageNotQueuedError */
    cancel(caller: Caller, conversation: string, messageId: string): Promise<void>;
    /** Gives a queued message other content, or another mode. @throws MessageNotFoundError, MessageNotQueuedError, those of MessageLimits */
    edit(caller: Caller, conversation: string, messageId: string, change: Pick<MessageChange, 'content' | 'mode'>): Promise<JsonResponse>;
    /**
     * Puts the queued messages into another order; the initial message stays the first.
     * @throws MessageNotQueuedError when one is being delivered, OrderMismatchError when the ids are not just those
     *   queued, InitialMessageFirstError
     */
    reorder(caller: Caller, conversation: string, ids: readonly string[]): Promise<JsonResponse>;
    private changeQueued;
    /** The JSON texts of messages whose contents were not read with them; of one that is gone meanwhile without. */
    private read;
    private find;
    /**
     * The ref once no conversation with this id can be on its way: starting one takes the same lock of
     * the user. Early queues are counted under it, so that calls at once cannot pass the limit together.
     */
    private resolveRef;
}
