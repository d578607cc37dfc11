import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { JobQueue } from '../../../kernel/jobs';
import { Lease } from '../../../kernel/leases';
import { deliveryJob } from './delivery-job-name';
import { ACQUIRE_LEASE, HAS_EARLIER_FENCE, LAPSED_LEASES, RENEW_LEASES, WAKE_RUN } from './queue-lease.query';

/**
 * A lease lasts as long as a job's lease where that is shorter than this: with the settling time of 10 s after
 * it, what was on its way when a process died goes out within 15 s.
 */
const MAX_MS = 2_500;

/**
 * A run's right to be the only one that delivers from a queue. Once it has lapsed, another run may have begun to settle what
 * this one was sending (docs/decisions/0005-leases-and-fencing.md).
 */
export class QueueLease extends Lease {
  /** @param orphanedMs how long before this lease one ended that was never given up; null when none did */
  constructor(
    clock: Clock,
    lengthMs: number,
    readonly queueId: string,
    readonly fence: number,
    readonly orphanedMs: number | null,
  ) {
    super(clock, lengthMs);
  }
}

/** Takes and renews leases: one run at a time delivers from a queue, and a dead one is replaced when its lease ends. */
@Injectable()
export class QueueLeases {
  /** How long a lease lasts that is not renewed. */
  readonly lengthMs: number;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.lengthMs = Math.min(settings.JOB_LEASE_SECONDS * 1000, MAX_MS);
  }

  /**
   * Leases a queue.
   * @param fence the run's fencing number: higher than those of all earlier runs
   * @param wakes whether a run that has the queue must not pause without reading the queue again
   * @returns null when another run has it, or a later one had it, which saw all that this one could, or it is gone
   */
  async acquire(queueId: string, fence: number, wakes: boolean): Promise<QueueLease | null> {
    for (;;) {
      const askedAt = this.clock.monotonicMs();
      const [taken] = await ACQUIRE_LEASE.rows(this.database, [queueId, fence, this.lengthMs]);
      if (taken) return this.granted(queueId, fence, askedAt, taken.orphaned_ms);
      const held = await WAKE_RUN.rows(this.database, [queueId, fence, wakes]);
      if (held.length > 0) return null;
      const rows = await HAS_EARLIER_FENCE.rows(this.database, [queueId, fence]);
      // Otherwise it was released between the two statements.
      if (rows.length === 0) return null;
    }
  }

  /**
   * A lease that the database has granted.
   * @param askedAt when it was asked for, by the monotonic clock
   */
  granted(queueId: string, fence: number, askedAt: number, orphanedMs: number | null): QueueLease {
    const lease = new QueueLease(this.clock, this.lengthMs, queueId, fence, orphanedMs);
    lease.renewed(askedAt);
    return lease;
  }

  /**
   * Renews leases in one statement. One whose queue is being written to is left for the next time, so that nothing is
   * waited for.
   * @returns those that were renewed
   */
  async renew(leases: readonly QueueLease[]): Promise<QueueLease[]> {
    const rows = await RENEW_LEASES.rows(this.database, [
      leases.map(({ queueId }) => queueId),
      leases.map(({ fence }) => fence),
      this.lengthMs,
    ]);
    const renewed = new Set(rows.map(({ id }) => id));
    return leases.filter(({ queueId }) => renewed.has(queueId));
  }

  /** Schedules runs for queues whose lease has lapsed, whichever process held it. */
  async requeueLapsed(): Promise<void> {
    const queues = await LAPSED_LEASES.rows(this.database);
    await this.jobs.addAll(
      this.database.manager,
      queues.map(({ id }) => deliveryJob(id)),
    );
  }
}
