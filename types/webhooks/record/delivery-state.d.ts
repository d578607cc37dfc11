/** What may become of a delivery (docs/webhooks.md#delivery). */
export declare const DELIVERY_STATES: readonly ["pending", "delivered", "failed"];
export type DeliveryState = (typeof DELIVERY_STATES)[number];
