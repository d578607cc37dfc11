/** What may become of a queued message (docs/contract.md#changing-the-queue). */
export declare const MESSAGE_STATES: readonly ["queued", "delivering", "delivered", "failed", "cancelled"];
export type MessageState = (typeof MESSAGE_STATES)[number];
