/**
 * What is to be delivered one after the other: to one endpoint, of one conversation, or a single delivery that
 * belongs to none. A row is there while any of it is pending (docs/decisions/0037-lanes-with-leases.md).
 */
export declare class WebhookLane {
    webhookId: string;
    /** The conversation, or the delivery's own id. */
    lane: string;
    dueAt: Date;
    /** Of the worker that took it last; what another one writes has no effect. */
    fence: string;
    additions: string;
}
