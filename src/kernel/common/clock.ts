/** The source of time; tests bind a clock they can set. */
export class Clock {
  /** The time of day. */
  now(): Date {
    return new Date();
  }

  /** Milliseconds of a clock that never jumps, for leases and measurements. */
  monotonicMs(): number {
    return performance.now();
  }
}
