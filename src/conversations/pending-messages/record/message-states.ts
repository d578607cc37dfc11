/** The states of a queued message (docs/contract.md#changing-the-queue). */
export const MESSAGE_STATES = ['queued', 'delivering', 'delivered', 'failed', 'cancelled'] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];
