import { AppError } from '../common';
import { rateLimitHeaders, type Standing } from './standing';

/** 429: the key, the sandbox or the address made more requests of a kind than a minute may have. */
export class RequestLimitError extends AppError {
  constructor(standing: Standing) {
    super(
      429,
      'request_limit_reached',
      `At most ${standing.limit} such requests are answered in a minute; try again in ${standing.resetSeconds} s.`,
      { ...rateLimitHeaders(standing), 'Retry-After': String(standing.resetSeconds) },
    );
  }
}

/** 429 in place of a 401: too many credentials of this address did not work; one that works is answered. */
export class TooManyFailedCredentialsError extends AppError {
  constructor(standing: Standing) {
    super(
      429,
      'too_many_failed_credentials',
      `Too many credentials from this address did not work; try again in ${standing.resetSeconds} s.`,
      { ...rateLimitHeaders(standing), 'Retry-After': String(standing.resetSeconds) },
    );
  }
}
