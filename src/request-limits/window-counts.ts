import type { RateLimitStatus } from './rate-limit-status';

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

/** A subject's minute. */
interface Window {
  count: number;
  endsAtMs: number;
  /** What other replicas do not know yet. */
  unshared: number;
}

/**
 * Counts the requests of one bucket, per subject and minute, in memory. A subject's minute begins with its first
 * request. At once, because a promise would cost a request through the door more than the counting.
 */
export class WindowCounts {
  /** In the order in which their minutes began. */
  private readonly windows = new Map<string, Window>();
  private readonly unshared = new Set<string>();

  /** @param limit how many requests of a subject a minute may have */
  constructor(private readonly limit: number) {}

  /** Whether anything was counted that other replicas do not know yet. */
  get hasUnshared(): boolean {
    return this.unshared.size > 0;
  }

  /** Counts a request. @returns the subject's rate limit status, this request included */
  add(subject: string): RateLimitStatus {
    const now = performance.now();
    const window = this.current(subject, now) ?? this.begin(subject, now);
    window.count += 1;
    if (window.count <= this.limit) {
      window.unshared += 1;
      this.unshared.add(subject);
    }
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.count),
      isExceeded: window.count > this.limit,
      resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - now) / 1_000)),
    };
  }

  /** Whether the next request of a subject would be beyond the limit; counts nothing. */
  isExhausted(subject: string): boolean {
    const window = this.current(subject, performance.now());
    return window !== undefined && window.count >= this.limit;
  }

  /** Hands over what other replicas do not know yet, of at most so many subjects. */
  takeUnshared(most: number): UnsharedCount[] {
    const taken: UnsharedCount[] = [];
    for (const subject of this.unshared) {
      if (taken.length === most) break;
      const window = this.windows.get(subject);
      if (window !== undefined) {
        taken.push({ subject, count: window.unshared });
        window.unshared = 0;
      }
      this.unshared.delete(subject);
    }
    return taken;
  }

  /** Takes back what could not be shared; what was dropped meanwhile stays so. */
  putBack({ subject, count }: UnsharedCount): void {
    const window = this.windows.get(subject);
    if (window === undefined) return;
    window.unshared += count;
    this.unshared.add(subject);
  }

  /** Learns what all replicas together have counted; what was counted here since then is on top of it. */
  learn({ subject, count, leftMs }: SharedCount): void {
    const window = this.windows.get(subject);
    if (window === undefined || leftMs <= 0) return;
    window.count = count + window.unshared;
    window.endsAtMs = performance.now() + leftMs;
  }

  private current(subject: string, now: number): Window | undefined {
    const window = this.windows.get(subject);
    return window !== undefined && window.endsAtMs > now ? window : undefined;
  }

  private begin(subject: string, now: number): Window {
    const window = { count: 0, endsAtMs: now + WINDOW_MS, unshared: 0 };
    this.windows.delete(subject);
    this.unshared.delete(subject); // of a minute that is over
    this.windows.set(subject, window);
    if (this.windows.size > MAX_SUBJECTS) {
      const [oldest = ''] = this.windows.keys();
      this.windows.delete(oldest);
      this.unshared.delete(oldest);
    }
    return window;
  }
}
