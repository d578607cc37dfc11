import { type Settings } from '../config';
import { type Bucket } from './buckets';
import { CountExchange } from './count-exchange';
import type { RateLimitStatus } from './rate-limit-status';
/**
 * Counts requests per bucket and subject (a key, a sandbox or an address) against the settings
 * (docs/contract.md#request-limits): here at once, and with the other replicas about every second.
 */
export declare class RequestLimits {
    private readonly exchange;
    private readonly buckets;
    constructor(settings: Settings, exchange: CountExchange);
    /**
     * Counts a request.
     * @returns the subject's rate limit status, this request included; null where the bucket has no limit
     */
    count(bucket: Bucket, subject: string): Promise<RateLimitStatus | null>;
    /** Whether the next request of a subject would be beyond the limit; counts nothing. */
    isExhausted(bucket: Bucket, subject: string): Promise<boolean>;
}
