/** What may become of a queued message (decisions 11). */
export const MESSAGE_STATES = ['queued', 'delivering', 'delivered', 'failed', 'cancelled'] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];
