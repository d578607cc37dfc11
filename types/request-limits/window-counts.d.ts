import type { RateLimitStatus } from './rate-limit-status';
export declare const WINDOW_MS = 60000;
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
/**
 * Counts the requests of one bucket, per subject and minute, in memory. A subject's minute begins with its first
 * request.
 */
export declare class WindowCounts {
    private readonly limit;
    private readonly limiter;
    /** In the order in which their minutes began. */
    private readonly subjects;
    private readonly unshared;
    /** @param limit how many requests of a subject a minute may have */
    constructor(limit: number);
    /** Whether anything was counted that other replicas do not know yet. */
    get hasUnshared(): boolean;
    /** Counts a request. @returns the subject's rate limit status, this request included */
    add(subject: string): Promise<RateLimitStatus>;
    /** Whether the next request of a subject would be beyond the limit; counts nothing. */
    isExhausted(subject: string): Promise<boolean>;
    /** Hands over what other replicas do not know yet, of at most so many subjects. */
    takeUnshared(most: number): UnsharedCount[];
    /** Takes back what could not be shared; what was dropped meanwhile stays so. */
    putBack({ subject, count }: UnsharedCount): void;
    /** Learns what all replicas together have counted; what was counted here since then is on top of it. */
    learn({ subject, count, leftMs }: SharedCount): Promise<void>;
    private begin;
    private forget;
    private statusOf;
}
