/** A caller's rate limit status in one bucket, in the current minute. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Whether there were more requests than the limit. */
  readonly isExceeded: boolean;
  /** When the minute is over, in whole seconds from now. */
  readonly resetSeconds: number;
}

/** The headers of a response with its caller's rate limit status. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: Omit<RateLimitStatus, 'isExceeded'>): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
