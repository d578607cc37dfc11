import type { EntityManager } from 'typeorm';
import { type Settings } from '../../config';
import type { ByteLimit } from './queue.query';
/** How many bytes may wait for their delivery (docs/contract.md#queue-limit). */
export declare class MessageLimits {
    /** The limits of a queue without a conversation, a user and an organization, as `queue_message` takes them. */
    readonly bytes: readonly [queue: number, user: number, organization: number];
    constructor(settings: Settings);
    /**
     * Checks what a transaction has written to a queue; the counters stay locked until it ends.
     * @throws EarlyQueueBytesError, UserMessageBytesError, OrganizationMessageBytesError
     */
    assertKept(transaction: EntityManager, queueId: string): Promise<void>;
    /** The response to who exceeds a limit. */
    error(limit: ByteLimit): Error;
}
