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

export const WINDOW_MS = 60_000;

/** Beyond that, the subjects whose minute began first are dropped: memory stays bounded under any flood. */
const MAX_SUBJECTS = 10_000;

/** What was counted here for a subject, and other replicas do not know yet. */
export interface UnsharedCount {
  readonly subject: string;
  readonly count: number;
}

/** What all replicas together counted for a subject, and how much is left of its minute. */
export interface SharedCount {
  readonly subject: string;
  readonly count: number;
  readonly leftMs: number;
}

/** The minute of a subject. */
interface Minute {
  count: number;
  /** By the clock that only goes forward. */
  endsAt: number;
}

/**
 * Counts the requests of one bucket, per subject and minute, in memory. A subject's minute begins with its first
 * request.
 */
export class WindowCounts {
  /** By subject, in the order in which they began. */
  private readonly minutes = new Map<string, Minute>();
  private readonly unshared = new Map<string, number>();

  /** @param limit how many requests of a subject a minute may have */
  constructor(private readonly limit: number) {}

  /** Whether anything was counted that other replicas do not know yet. */
  get hasUnshared(): boolean {
    return this.unshared.size > 0;
  }

  /**
   * Counts a request.
   * @param limit of a subject that may have more than the others
   * @returns the subject's rate limit status, this request included
   */
  add(subject: string, limit = this.limit): RateLimitStatus {
    const now = performance.now();
    const minute = this.minuteOf(subject, now) ?? this.begin(subject, now);
    minute.count++;
    const status = statusOf(minute, limit, now);
    if (!status.isExceeded) this.unshared.set(subject, (this.unshared.get(subject) ?? 0) + 1);
    return status;
  }

  /** Whether the next request of a subject would be beyond the limit; counts nothing. */
  isExhausted(subject: string): boolean {
    return (this.minuteOf(subject, performance.now())?.count ?? 0) >= this.limit;
  }

  /** Hands over what other replicas do not know yet, of at most so many subjects. */
  takeUnshared(most: number): UnsharedCount[] {
    const taken: UnsharedCount[] = [];
    for (const [subject, count] of this.unshared) {
      if (taken.length === most) break;
      taken.push({ subject, count });
      this.unshared.delete(subject);
    }
    return taken;
  }

  /** Restores counts that could not be shared; dropped ones stay dropped. */
  putBack({ subject, count }: UnsharedCount): void {
    if (this.minutes.has(subject)) this.unshared.set(subject, (this.unshared.get(subject) ?? 0) + count);
  }

  /** Sets the total of all replicas; counts of this one since then are added to it. */
  learn({ subject, count, leftMs }: SharedCount): void {
    const minute = this.minutes.get(subject);
    if (minute === undefined || leftMs <= 0) return;
    minute.count = count + (this.unshared.get(subject) ?? 0);
    minute.endsAt = performance.now() + leftMs;
  }

  /** Undefined for one that is over. */
  private minuteOf(subject: string, now: number): Minute | undefined {
    const minute = this.minutes.get(subject);
    return minute !== undefined && minute.endsAt > now ? minute : undefined;
  }

  private begin(subject: string, now: number): Minute {
    const minute = { count: 0, endsAt: now + WINDOW_MS };
    this.forget(subject); // its minute that is over
    this.minutes.set(subject, minute);
    if (this.minutes.size > MAX_SUBJECTS) {
      const [oldest] = this.minutes.keys();
      if (oldest !== undefined) this.forget(oldest);
    }
    return minute;
  }

  private forget(subject: string): void {
    this.minutes.delete(subject);
    this.unshared.delete(subject);
  }
}

function statusOf({ count, endsAt }: Minute, limit: number, now: number): RateLimitStatus {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    isExceeded: count > limit,
    resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
  };
}
