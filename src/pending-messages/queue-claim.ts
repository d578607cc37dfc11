import type { Clock } from '../common';

/** The queue belongs to a later run, or may: this one must neither send nor write any more. */
export class ClaimLostError extends Error {
  constructor() {
    super('The queue belongs to a later run.');
    this.name = 'ClaimLostError';
  }
}

/** A run's right to be the only one that delivers from a queue, prolonged while it lasts. */
export class QueueClaim {
  /**
   * @param heldUntil by the monotonic clock
   * @param orphanedMs how long before this claim one ended that was never given up; null when none did
   */
  constructor(
    readonly queueId: string,
    readonly fence: number,
    private readonly clock: Clock,
    private heldUntil: number,
    readonly orphanedMs: number | null,
  ) {}

  /** @param until by the monotonic clock */
  prolong(until: number): void {
    this.heldUntil = until;
  }

  /** To be called right before a write to a wire. @throws ClaimLostError */
  assertHeld(): void {
    if (this.clock.monotonicMs() >= this.heldUntil) throw new ClaimLostError();
  }
}
