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
export declare function checkLimits(demands: readonly Demand[]): void;
/**
 * The `RateLimit-*` headers of a response.
 * @param shown the limit they describe, after this call's demand
 * @param all every limit, for `RateLimit-Policy`
 * @param resetSeconds until there is more; by default, until the oldest use leaves the window
 */
export declare function inviteLimitHeaders(shown: Demand, all: readonly Demand[], resetSeconds?: number): Record<string, string>;
