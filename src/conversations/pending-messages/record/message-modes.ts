/** How a queued message goes to an agent that runs (docs/contract.md#message-modes). */
export const MESSAGE_MODES = ['steer', 'after_run'] as const;

export type MessageMode = (typeof MESSAGE_MODES)[number];
