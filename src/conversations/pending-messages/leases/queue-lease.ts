import type { Clock } from '../../../kernel/common';

/** The queue belongs to a later run, or may: this one must neither send nor write any more. */
export class QueueLeaseLostError extends Error {
  constructor() {
    super('The queue belongs to a later run.');
    this.name = 'QueueLeaseLostError';
  }
}

/**
 * A run's right to be the only one that delivers from a queue, renewed while it lasts. Once it has lapsed it is
 * over for good: another run may have begun to settle what this one was sending
 * (docs/decisions/0005-leases-and-fencing.md).
 */
export class QueueLease {
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout;

  /**
   * @param heldUntil by the monotonic clock
   * @param orphanedMs how long before this lease one ended that was never given up; null when none did
   */
  constructor(
    readonly queueId: string,
    readonly fence: number,
    private readonly clock: Clock,
    private heldUntil: number,
    readonly orphanedMs: number | null,
  ) {
    this.timer = this.watch();
  }

  /** Aborted with the end of the lease: nothing of the run may be on a wire any more. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  get isHeld(): boolean {
    return !this.over.signal.aborted && this.clock.monotonicMs() < this.heldUntil;
  }

  /** Nothing once it has lapsed. @param until by the monotonic clock */
  renew(until: number): void {
    this.heldUntil = until;
  }

  /** To be called right before a write to a wire. @throws QueueLeaseLostError */
  assertHeld(): void {
    if (!this.isHeld) throw new QueueLeaseLostError();
  }

  /** The run is over, or another one has the queue. */
  end(): void {
    clearTimeout(this.timer);
    this.over.abort();
  }

  /** Checks when it would lapse whether it was renewed meanwhile. */
  private watch(): NodeJS.Timeout {
    const left = Math.max(1, this.heldUntil - this.clock.monotonicMs());
    return setTimeout(() => {
      if (this.isHeld) this.timer = this.watch();
      else this.over.abort();
    }, left).unref();
  }
}
