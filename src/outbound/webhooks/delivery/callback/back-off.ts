const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first failure, the second and so on; after later ones the last (docs/webhooks.md#retries). */
const DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  8 * HOUR,
];
/** Share of a delay by which it is longer or shorter, so that what failed together is not tried together. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * How long to wait after a failure.
 * @param failures in a row, this one included
 * @param retryAfterMs what the endpoint asked for; at most a day of it is waited
 * @param random between 0 and 1
 */
export function delayAfter(failures: number, retryAfterMs: number | null, random: number): number {
  const delay = DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1] ?? 0;
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(jittered, askedPause(retryAfterMs) ?? 0));
}

/** How long to wait because the endpoint asked for it: at most a day; null where it did not. */
export function askedPause(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/**
 * What a `Retry-After` asks for.
 * @param header seconds, or a date
 * @returns milliseconds; null when it says nothing that can be read
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,10}\s*$/.test(header)) return Number(header) * SECOND;
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
