import type { Clock } from '../../../../kernel/common';

/** The lane belongs to another worker, or may: this one must neither send nor write any more. */
export class LaneLostError extends Error {
  constructor() {
    super('The lane belongs to another worker.');
    this.name = 'LaneLostError';
  }
}

/** A worker's right to be the only one that delivers from a lane, renewed while it lasts. */
export class LaneLease {
  private readonly over = new AbortController();

  /**
   * @param fence which no other lease of any lane has
   * @param heldUntil by the monotonic clock
   */
  constructor(
    readonly webhookId: string,
    readonly lane: string,
    readonly fence: string,
    private readonly clock: Clock,
    private heldUntil: number,
  ) {}

  /** Aborted with the end of the lease: nothing may be on a wire any more. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Ends it, once it has lapsed. */
  get isHeld(): boolean {
    if (this.clock.monotonicMs() >= this.heldUntil) this.end();
    return !this.over.signal.aborted;
  }

  /** Nothing once it is over. @param until by the monotonic clock */
  renew(until: number): void {
    this.heldUntil = until;
  }

  /** To be called right before a request. @throws LaneLostError */
  assertHeld(): void {
    if (!this.isHeld) throw new LaneLostError();
  }

  end(): void {
    if (!this.over.signal.aborted) this.over.abort(new LaneLostError());
  }
}
