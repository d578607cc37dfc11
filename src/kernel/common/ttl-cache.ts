import { Clock } from './clock';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly until: number;
}

/** Caches results for a fixed time, so that a burst of requests loads each once. The oldest one makes room. */
export class TtlCache<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly maxEntries: number,
  ) {}

  /** The cached value, or the loader's, shared by concurrent callers. Failures are not cached. */
  get(key: string, load: () => Promise<V>): Promise<V> {
    const now = this.clock.monotonicMs();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const value = load();
    this.entries.delete(key);
    if (this.entries.size >= this.maxEntries) this.evictOldest();
    const entry = { value, until: now + this.ttlMs };
    this.entries.set(key, entry);
    value.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return value;
  }

  /** Removes one entry. */
  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Removes every entry. */
  clear(): void {
    this.entries.clear();
  }

  private evictOldest(): void {
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
