/** Most characters of the reason of a hold. */
export const MAX_HOLD_REASON = 1_000;

/** Most holds of an organization, lifted ones included: these stay. */
export const MAX_HOLDS = 10_000;
