import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config';
import { type Bucket, BUCKETS, limitOf } from './buckets';
import { CountExchange } from './count-exchange';
import type { RateLimitStatus } from './window-counts';
import { WindowCounts } from './window-counts';

/**
 * Counts requests per bucket and subject (a key, a user, a sandbox or an address) against the settings
 * (docs/contract.md#request-limits): here at once, and with the other replicas about every second.
 */
@Injectable()
export class RequestLimits {
  private readonly buckets = new Map<Bucket, WindowCounts>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly exchange: CountExchange,
  ) {
    for (const bucket of BUCKETS) {
      const limit = limitOf(bucket, settings);
      if (limit === 0) continue;
      const counts = new WindowCounts(limit);
      this.buckets.set(bucket, counts);
      exchange.register(bucket, counts);
    }
  }

  /**
   * Counts a request.
   * @param limit of a subject that may have more than the bucket's others
   * @returns the subject's rate limit status, this request included; null where the bucket has no limit
   */
  count(bucket: Bucket, subject: string, limit?: number): RateLimitStatus | null {
    const counts = this.buckets.get(bucket);
    if (counts === undefined) return null;
    const status = counts.add(subject, limit);
    if (counts.hasUnshared) this.exchange.schedule();
    return status;
  }

  /**
   * Counts a request that is somebody's: for its key or sandbox, and for all that its user sends with whatever key.
   * @returns the status of whichever binds sooner; null where the bucket has no limit
   */
  countFor(bucket: Bucket, subject: string, userId: string | null): RateLimitStatus | null {
    const own = this.count(bucket, subject);
    // A refused request does not count against the user's other keys.
    if (own === null || own.isExceeded || userId === null) return own;
    const limit = limitOf(bucket, this.settings) * this.settings.USER_CALLS_FACTOR;
    const all = this.count(bucket, `user ${userId}`, limit);
    return all !== null && (all.isExceeded || all.remaining < own.remaining) ? all : own;
  }

  /** Whether the next request of a subject would be beyond the limit; counts nothing. */
  isExhausted(bucket: Bucket, subject: string): boolean {
    return this.buckets.get(bucket)?.isExhausted(subject) ?? false;
  }
}
