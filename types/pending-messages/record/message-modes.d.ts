/** How a queued message goes to an agent that runs (docs/contract.md#message-modes). */
export declare const MESSAGE_MODES: readonly ["steer", "after_run"];
export type MessageMode = (typeof MESSAGE_MODES)[number];
