import type { Clock } from '../../common';

/** Beyond that the oldest are forgotten: memory stays bounded under any flood. */
const MOST = 10_000;

/** Digests of something that happened lately. */
export class RecentDigests {
  /** By digest, until when; in the order in which they were added. */
  private readonly until = new Map<string, number>();

  /** @param forMs how long one counts as recent */
  constructor(
    private readonly clock: Clock,
    private readonly forMs: number,
  ) {}

  has(digest: string): boolean {
    return (this.until.get(digest) ?? 0) > this.clock.monotonicMs();
  }

  add(digest: string): void {
    this.until.delete(digest);
    this.until.set(digest, this.clock.monotonicMs() + this.forMs);
    if (this.until.size <= MOST) return;
    const [oldest] = this.until.keys();
    if (oldest !== undefined) this.until.delete(oldest);
  }

  delete(digest: string): void {
    this.until.delete(digest);
  }
}
