/** The states of a delivery (docs/webhooks.md#delivery). */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why an endpoint is disabled: somebody asked for it, it answered 410, it only failed for days, or more was
 * waiting for it than is kept (docs/webhooks.md#limits).
 */
export const DISABLED_REASONS = ['by_request', 'gone', 'failing', 'backlog'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Most characters of a kind. */
export const MAX_KIND = 100;

/** `*`, a kind, or all of a prefix (`message.*`). */
const KIND = /^(?:\*|[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*(?:\.\*)?)$/;

/**
 * @returns what is wrong with a kind that a webhook names, or null; kinds that are unknown are accepted, as agents
 *   bring new ones (docs/webhooks.md#kinds)
 */
export function kindProblem(text: string): string | null {
  return KIND.test(text)
    ? null
    : 'a kind is *, a name as conversation.created or MessageEvent, or all of a prefix as message.*';
}
