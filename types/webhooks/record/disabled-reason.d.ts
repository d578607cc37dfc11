/**
 * Why an endpoint is disabled: somebody asked for it, it answered 410, it only failed for days, or more was
 * waiting for it than is kept (docs/webhooks.md#limits).
 */
export declare const DISABLED_REASONS: readonly ["by_request", "gone", "failing", "backlog"];
export type DisabledReason = (typeof DISABLED_REASONS)[number];
