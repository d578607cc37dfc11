import type { EntityManager } from 'typeorm';
import type { SqlRunner } from '../../database';
/** What is to be delivered to one endpoint. */
export interface NewDelivery {
    readonly webhookId: string;
    /** Deliveries of one conversation to one endpoint go out one after the other; those of none at any time. */
    readonly conversationId: string | null;
    readonly type: string;
    /** The agent's kind of an `event.received`. */
    readonly eventKind: string | null;
    /** The payload's `data`; JSON. */
    readonly data: string;
    readonly occurredAt: Date;
}
/**
 * What is to be delivered, in the caller's transaction. After its commit the caller says so to `LaneSignal`.
 */
export declare class DeliveryStore {
    /**
     * Adds deliveries, in the order in which they are to go out.
     * @returns their ids
     */
    add(transaction: EntityManager, deliveries: readonly NewDelivery[]): Promise<string[]>;
    /**
     * Has completed deliveries sent again, under their ids and after what is waiting; pending ones are left as they are.
     * @returns how many there were
     */
    replay(transaction: EntityManager, webhookId: string, ids: readonly string[]): Promise<number>;
    /**
     * Gives up what is pending at an endpoint; what is on its way is not recorded any more.
     * @returns whether there may be more: nobody waits for hundreds of thousands of rows
     */
    failPending(transaction: EntityManager, webhookId: string, reason: string): Promise<boolean>;
    /** As {@link failPending}, whatever it takes. */
    failAll(transaction: EntityManager, webhookId: string, reason: string): Promise<void>;
    /** Has nothing more taken from the lanes of an endpoint that was disabled in this transaction. */
    dropLanes(transaction: EntityManager, webhookId: string): Promise<void>;
    /**
     * Deletes the deliveries of an endpoint, by the batch: one statement for millions of rows would be canceled, and
     * with the endpoint locked meanwhile all others would wait.
     */
    deleteAll(database: SqlRunner, webhookId: string): Promise<void>;
}
