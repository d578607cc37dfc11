import { AppError } from '../common';
import { rateLimitHeaders, type RateLimitStatus } from './rate-limit-status';

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
