import { type DeliveryState } from './delivery-state';
/** What happened, for one endpoint. */
export declare class WebhookDelivery {
    /** Also the header `webhook-id`: the same whenever it is sent again. */
    id: string;
    webhookId: string;
    lane: string;
    /** Its place in the lane; a replay puts it at the end. */
    rank: string;
    type: string;
    /** The agent's kind of an `event.received`. */
    eventKind: string | null;
    conversationId: string | null;
    /** JSON; the event of an `event.received` is added when it is sent. */
    data: string;
    occurredAt: Date;
    state: DeliveryState;
    attempts: number;
    failures: number;
    lastError: string | null;
    expiresAt: Date;
    createdAt: Date;
    completedAt: Date | null;
}
