/** Where a caller stands in a bucket in the current minute. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Whether there were more requests than the limit. */
  readonly isExceeded: boolean;
  /** When the minute is over, in whole seconds from now. */
  readonly resetSeconds: number;
}

/** The headers of a response that say where its caller stands. */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
