/**
 * How long to wait after a failure.
 * @param failures in a row, this one included
 * @param retryAfterMs what the endpoint asked for; at most a day of it is waited
 * @param random between 0 and 1
 */
export declare function delayAfter(failures: number, retryAfterMs: number | null, random: number): number;
/**
 * What a `Retry-After` asks for.
 * @param header seconds, or a date
 * @returns milliseconds; null when it says nothing that can be read
 */
export declare function retryAfterMs(header: string | undefined, now: Date): number | null;
