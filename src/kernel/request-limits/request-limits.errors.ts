import { AppError } from '../common';

/** 429: the key, its user, the sandbox or the address made more requests of a kind than a minute may have. */
export class RequestLimitError extends AppError {
  constructor(status: RateLimitStatus) {
    super(
      429,
      'request_limit_reached',
      `At most ${status.limit} such requests are answered in a minute; try again in ${status.resetSeconds} s.`,
      { ...rateLimitHeaders(status), 'Retry-After': String(status.resetSeconds) },
    );
  }
}

/** 429 in place of a 401: too many credentials of this address did not work; one that works is answered. */
export class TooManyFailedCredentialsError extends AppError {
  constructor(status: RateLimitStatus) {
    super(
      429,
      'too_many_failed_credentials',
      `Too many credentials from this address did not work; try again in ${status.resetSeconds} s.`,
      { ...rateLimitHeaders(status), 'Retry-After': String(status.resetSeconds) },
    );
  }
}

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
