import type { Clock } from '../common';

/**
 * The lease has lapsed or was revoked, so somebody else may already do its work: whoever had it must neither send nor write
 * anything more. Never sent to a client.
 */
export class LeaseLostError extends Error {
  constructor() {
    super('The lease is lost; its work belongs to others now.');
    this.name = 'LeaseLostError';
  }
}

/**
 * The right to be the only one that does some work, as its holder sees it: for so long after each renewal, by the monotonic
 * clock (docs/decisions/0005-leases-and-fencing.md). What others see is in the database, and ends later, never earlier.
 */
export class Lease {
  private readonly over = new AbortController();
  private heldUntil = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  /** @param lengthMs how long it lasts after a renewal; there has been none yet */
  constructor(
    private readonly clock: Clock,
    private readonly lengthMs: number,
  ) {}

  /**
   * Aborted with the end of the lease, after which nothing may be on a wire any more. Who has asked for it is cut off when
   * the lease lapses, and then it has ended for good; before, a renewal that comes late still counts.
   */
  get signal(): AbortSignal {
    if (!this.over.signal.aborted) this.timer ??= this.watch();
    return this.over.signal;
  }

  get isHeld(): boolean {
    return !this.over.signal.aborted && this.clock.monotonicMs() < this.heldUntil;
  }

  /**
   * The database has granted or renewed it; nothing once it has ended.
   * @param askedAt when it was asked to, by the monotonic clock, which is never later than when it did
   */
  renewed(askedAt: number): void {
    this.heldUntil = Math.max(this.heldUntil, askedAt + this.lengthMs);
  }

  /**
   * To be called right before a write to a wire, which no database can fence.
   * @throws LeaseLostError
   */
  assertHeld(): void {
    if (!this.isHeld) throw new LeaseLostError();
  }

  /** Ends it for good: the work is done, or another holder has the lease. */
  end(): void {
    clearTimeout(this.timer);
    if (!this.over.signal.aborted) this.over.abort(new LeaseLostError());
  }

  /** Checks when it would lapse whether it was renewed meanwhile. */
  private watch(): NodeJS.Timeout {
    const left = Math.max(1, this.heldUntil - this.clock.monotonicMs());
    return setTimeout(() => {
      if (this.isHeld) this.timer = this.watch();
      else this.end();
    }, left).unref();
  }
}
