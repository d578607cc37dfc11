/**
 * Why an endpoint is disabled: somebody asked for it, it answered 410, it only failed for days, or more was
 * waiting for it than is kept (docs/webhooks.md#limits).
 */
export const DISABLED_REASONS = ['by_request', 'gone', 'failing', 'backlog'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];
