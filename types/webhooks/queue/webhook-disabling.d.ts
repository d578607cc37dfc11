import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import type { DisabledReason } from '../record/disabled-reason';
import { DeliveryStore } from './delivery-store';
/** Disables endpoints (docs/webhooks.md#limits). */
export declare class WebhookDisabling {
    private readonly database;
    private readonly store;
    private readonly events;
    constructor(database: DataSource, store: DeliveryStore, events: DomainEvents);
    /**
     * Disables an endpoint and gives up what is pending, which can be replayed.
     * @returns false when it was disabled already, or is gone
     */
    disable(transaction: EntityManager, webhookId: string, reason: DisabledReason): Promise<boolean>;
    /** Gives up what is pending at an endpoint that is about to be enabled again: it belongs to the time before. */
    settle(transaction: EntityManager, webhookId: string): Promise<void>;
    /** Gives up what is left at disabled endpoints: more than is given up at once, or added at that moment. */
    failLeftOver(): Promise<void>;
    private failSome;
}
