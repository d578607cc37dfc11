import { setMaxListeners } from 'node:events';
import type { Logger } from '@nestjs/common';
import { type Clock, settledWithin } from '../common';
import type { Lease } from './lease';

/** Of the five seconds that a stop may take, what runs are given to come to an end. */
const GRACE_MS = 2_500;

/** Work of one kind, each piece of which is done under a lease. */
export interface LeasedWork<L extends Lease> {
  /** The name of the leased resources in the log. */
  readonly name: string;
  /** How long a lease lasts that is not renewed. */
  readonly lengthMs: number;
  /** Runs at a time of this process. */
  readonly most: number;
  /** The key of the leased resource: of two leases with the same key, the later one is valid. */
  keyOf(lease: L): string;
  /** Renews leases in the database. @returns those that it has renewed; the others are left as they are */
  renew(leases: readonly L[]): Promise<readonly L[]>;
  /** After each renewal: gives somebody what was leased and not given back, unless everybody looks for it anyway. */
  requeueLapsed?(): Promise<void>;
  /** A run has failed, was interrupted by the stop, or has lost its lease (LeaseLostError). Never rejects. */
  giveUp(lease: L, error: unknown, isStopping: boolean): Promise<void>;
}

/**
 * The runs of this process over queues that are leased: one at a time for each, which has the lease renewed while it lasts. Nothing
 * here waits without an end for something that may hang: neither for the earlier run of a queue, nor for a renewal.
 */
export class LeasedRuns<L extends Lease> {
  private readonly abort = new AbortController();
  /** The last run of each key. */
  private readonly running = new Map<string, { readonly lease: L; readonly ended: Promise<void> }>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;
  private stopped: Promise<readonly L[]> | undefined;

  constructor(
    private readonly work: LeasedWork<L>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    // Every run may listen.
    setMaxListeners(0, this.abort.signal);
  }

  /** Renews leases from now on. */
  start(): void {
    this.timer = setInterval(() => void this.keepRenewed(), this.work.lengthMs / 4);
  }

  /**
   * Starts no more runs, and waits the grace time for those under way.
   * @returns the leases of runs that have not ended then
   */
  stop(): Promise<readonly L[]> {
    return (this.stopped ??= this.drain());
  }

  /** How many more runs may begin: 0 before the start and after the stop. */
  get room(): number {
    return this.timer === undefined || this.abort.signal.aborted ? 0 : this.work.most - this.running.size;
  }

  /** The leases of all runs. */
  get leases(): readonly L[] {
    return [...this.running.values()].map(({ lease }) => lease);
  }

  /**
   * Runs something under a lease that was just granted, and ends the lease with it. An earlier run of the same key, whose
   * lease has lapsed and which may not have noticed yet, is cut off, and waited for no longer than a lease lasts: what it
   * writes later is fenced.
   * @param run is given a signal that is aborted when nothing more is to be begun
   * @returns when it has ended; never rejects
   */
  begin(lease: L, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const key = this.work.keyOf(lease);
    const earlier = this.running.get(key);
    earlier?.lease.end();
    const ended = this.perform(lease, earlier?.ended, run).finally(() => {
      if (this.running.get(key)?.lease === lease) this.running.delete(key);
    });
    this.running.set(key, { lease, ended });
    return ended;
  }

  private async perform(
    lease: L,
    earlier: Promise<void> | undefined,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    try {
      await (earlier && settledWithin(earlier, this.work.lengthMs));
      await run(this.abort.signal);
    } catch (error) {
      await this.work.giveUp(lease, error, this.abort.signal.aborted);
    } finally {
      lease.end();
    }
  }

  private async drain(): Promise<readonly L[]> {
    this.abort.abort(new Error('The service stops.'));
    await settledWithin(Promise.all([...this.running.values()].map(({ ended }) => ended)), GRACE_MS);
    clearInterval(this.timer);
    return this.leases;
  }

  /** A round that hangs keeps the next from its turn until the leases that it was for have lapsed, and no longer. */
  private async keepRenewed(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    await settledWithin(this.renewAll(), this.work.lengthMs);
    this.isRenewing = false;
  }

  private async renewAll(): Promise<void> {
    try {
      const held = this.leases.filter(({ isHeld }) => isHeld);
      const askedAt = this.clock.monotonicMs();
      if (held.length > 0) for (const lease of await this.work.renew(held)) lease.renewed(askedAt);
      await this.work.requeueLapsed?.();
    } catch (error) {
      this.logger.warn({ err: error }, `The leases on ${this.work.name} could not be renewed`);
    }
  }
}
