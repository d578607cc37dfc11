import { rateLimitHeaders } from '../../../kernel/request-limits';
import { InvitationLimitError } from '../record/invitations.errors';

/** The most that may be used within any window of time. */
export interface Limit {
  readonly most: number;
  readonly windowSeconds: number;
  /** The sentence of a refusal. */
  readonly refusal: string;
}

/** How much an earlier call used of a limit, and how long ago; lists are oldest first. */
export interface Use {
  readonly amount: number;
  readonly ageSeconds: number;
}

/** A limit, what the calls within its window used of it, and what this call wants. */
export interface Demand {
  readonly limit: Limit;
  readonly used: readonly Use[];
  readonly wanted: number;
}

/**
 * Checks a call against the limits it is under; the window slides, so budget comes back as calls age.
 * @throws InvitationLimitError with `Retry-After`: when all of them will have room
 */
export function checkLimits(demands: readonly Demand[]): void {
  const refused = demands
    .map((demand) => ({ demand, wait: secondsUntilRoom(demand) }))
    .filter(({ wait }) => wait > 0)
    .sort((a, b) => b.wait - a.wait);
  const [longest] = refused;
  if (!longest) return;
  throw new InvitationLimitError(longest.demand.limit.refusal, {
    'Retry-After': String(longest.wait),
    ...inviteLimitHeaders({ ...longest.demand, wanted: 0 }, demands, longest.wait),
  });
}

/**
 * The `RateLimit-*` headers of a response.
 * @param shown the limit they describe, after this call's demand
 * @param all every limit, for `RateLimit-Policy`
 * @param resetSeconds until there is more; by default, until the oldest use leaves the window
 */
export function inviteLimitHeaders(
  shown: Demand,
  all: readonly Demand[],
  resetSeconds: number = secondsUntilMore(shown),
): Record<string, string> {
  return {
    ...rateLimitHeaders({
      limit: shown.limit.most,
      remaining: Math.max(0, shown.limit.most - total(shown.used) - shown.wanted),
      resetSeconds,
    }),
    'RateLimit-Policy': all.map(({ limit }) => `${limit.most};w=${limit.windowSeconds}`).join(', '),
  };
}

function secondsUntilRoom({ limit, used, wanted }: Demand): number {
  let excess = total(used) + wanted - limit.most;
  if (excess <= 0) return 0;
  for (const { amount, ageSeconds } of used) {
    excess -= amount;
    if (excess <= 0) return secondsLeft(limit, ageSeconds);
  }
  // The batch exceeds the limit by itself.
  return limit.windowSeconds;
}

function secondsUntilMore({ limit, used }: Demand): number {
  const [oldest] = used;
  return oldest ? secondsLeft(limit, oldest.ageSeconds) : limit.windowSeconds;
}

function secondsLeft(limit: Limit, ageSeconds: number): number {
  return Math.max(1, Math.ceil(limit.windowSeconds - ageSeconds));
}

function total(used: readonly Use[]): number {
  return used.reduce((sum, { amount }) => sum + amount, 0);
}
