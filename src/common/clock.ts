/** Where the time comes from; tests bind a clock they can set. */
export class Clock {
  /** The time of day. */
  now(): Date {
    return new Date();
  }

  /** Milliseconds that never jump, for leases and measurements. */
  monotonicMs(): number {
    return performance.now();
  }
}
