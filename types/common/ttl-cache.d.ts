import { Clock } from './clock';
/** Caches results for a fixed time, so that a burst of requests loads each once. The oldest one makes room. */
export declare class TtlCache<V> {
    private readonly clock;
    private readonly ttlMs;
    private readonly maxEntries;
    private readonly entries;
    constructor(clock: Clock, ttlMs: number, maxEntries: number);
    /** The cached value, or the loader's, shared by concurrent callers. Failures are not cached. */
    get(key: string, load: () => Promise<V>): Promise<V>;
    /** Removes every entry. */
    clear(): void;
    private evictOldest;
}
