import type { Clock } from '../../common';
import { LeaseLostError } from './jobs.errors';

/** The lease of a worker, as a running job sees it. */
export interface JobLease {
  /**
   * Fencing token: higher than that of every earlier run, of this job or any other. An update that is guarded
   * by `fence <= :fence` and writes it cannot overwrite the work of a later run.
   */
  readonly fence: number;
  /** False once other workers may consider this process dead, by its own monotonic clock. */
  isHeld(): boolean;
  /**
   * Call it right before a network write, which no database can fence. A gap remains between this call and the
   * bytes leaving the process: a process that is suspended right there for longer than its lease writes late.
   * @throws LeaseLostError
   */
  assertHeld(): void;
}

/**
 * The right of a worker to run jobs: renewed by every heartbeat, expired when heartbeats fail for too long
 * (docs/decisions/0005-leases-and-fencing.md).
 */
export class WorkerLease {
  private heldUntil = -Infinity;
  private ended = false;

  /** @param lengthMs how long the lease lasts after a heartbeat */
  constructor(
    private readonly clock: Clock,
    readonly lengthMs: number,
  ) {}

  /** @param askedAt when the heartbeat was sent, which is never later than when the database recorded it */
  renewed(askedAt: number): void {
    this.heldUntil = askedAt + this.lengthMs;
  }

  /** Ends the lease for good. */
  end(): void {
    this.ended = true;
  }

  isHeld(): boolean {
    return !this.ended && this.clock.monotonicMs() < this.heldUntil;
  }

  assertHeld(): void {
    if (!this.isHeld()) throw new LeaseLostError();
  }

  /** The lease as seen by one run of a job. */
  forRun(fence: number): JobLease {
    return { fence, isHeld: () => this.isHeld(), assertHeld: () => this.assertHeld() };
  }
}
