import type { Clock } from '../../common';
import { LeaseLostError } from './jobs.errors';

/** What a running job knows of its right to run. */
export interface JobLease {
  /**
   * Higher than that of every run that began earlier, of this job or any other. An update guarded by
   * `fence <= :fence` that also writes it cannot undo what a later run did.
   */
  readonly fence: number;
  /** False once this process may have been taken for dead, by its own monotonic clock. */
  isHeld(): boolean;
  /**
   * To be called right before a write to a wire, which no database can guard. What remains is the moment
   * between this call and the bytes leaving the process: a process stopped exactly there for longer than
   * its lease writes late.
   * @throws LeaseLostError
   */
  assertHeld(): void;
}

/**
 * The right of a process to run jobs: renewed by every heartbeat, over when heartbeats fail for too long
 * (docs/decisions/0005-leases-and-fencing.md).
 */
export class WorkerLease {
  private heldUntil = -Infinity;
  private over = false;

  /** @param lengthMs how long one heartbeat lasts */
  constructor(
    private readonly clock: Clock,
    readonly lengthMs: number,
  ) {}

  /** @param askedAt when the heartbeat was sent: what the database noted is later, never earlier */
  renewed(askedAt: number): void {
    this.heldUntil = askedAt + this.lengthMs;
  }

  /** Ends it for good. */
  end(): void {
    this.over = true;
  }

  isHeld(): boolean {
    return !this.over && this.clock.monotonicMs() < this.heldUntil;
  }

  assertHeld(): void {
    if (!this.isHeld()) throw new LeaseLostError();
  }

  /** The lease as one run of a job sees it. */
  forRun(fence: number): JobLease {
    return { fence, isHeld: () => this.isHeld(), assertHeld: () => this.assertHeld() };
  }
}
