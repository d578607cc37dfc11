/** The states of a queued message (docs/contract.md#changing-the-queue). */
export const MESSAGE_STATES = ['queued', 'delivering', 'delivered', 'failed', 'cancelled'] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** How a queued message goes to an agent that runs (docs/contract.md#message-modes). */
export const MESSAGE_MODES = ['steer', 'after_run'] as const;

export type MessageMode = (typeof MESSAGE_MODES)[number];
