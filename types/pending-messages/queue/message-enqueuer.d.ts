import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common';
import { DomainEvents } from '../../domain-events';
import { DeliveryRuns } from '../delivery/delivery-runs';
import type { PendingMessageResponse } from './pending-messages.dto';
import { MessageInsertion, type NewMessage } from './message-insertion';
import { MessageLimits } from './message-limits';
import type { QueueRef } from './queue-ref';
import { QueueLeases } from '../leases/queue-leases';
/** Where callers' messages get into their queues. */
export declare class MessageEnqueuer {
    private readonly database;
    private readonly insertion;
    private readonly leases;
    private readonly runs;
    private readonly clock;
    private readonly events;
    private readonly limits;
    constructor(database: DataSource, insertion: MessageInsertion, leases: QueueLeases, runs: DeliveryRuns, clock: Clock, events: DomainEvents, limits: MessageLimits);
    /** Whether this process may deliver what it queues, without a job. */
    get deliversHere(): boolean;
    /**
     * Queues a message and, when nobody else delivers from the queue, begins to deliver from it.
     * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
     */
    addAndDeliver(userId: string, conversationId: string, { content, mode }: NewMessage): Promise<PendingMessageResponse>;
    /** As {@link MessageInsertion.insert}, into the queue of a ref. */
    add(transaction: EntityManager, userId: string, ref: QueueRef, message: NewMessage): Promise<PendingMessageResponse>;
    /** The one statement has to become a transaction, since the event commits with the message. */
    private addAndPublish;
}
