import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { JobQueue } from '../../../kernel/jobs';
import { deliveryJob } from './delivery-job-name';
import { QueueLease } from './queue-lease';
import { ACQUIRE_LEASE, HAS_EARLIER_FENCE, LAPSED_LEASES, RENEW_LEASES, WAKE_RUN } from './queue-lease.query';

/**
 * A lease lasts as long as a job's lease where that is shorter than this: with the settling time of 10 s after
 * it, what was on its way when a process died goes out within 15 s.
 */
const MAX_MS = 2_500;

/** Whether a queue could be leased: another run has it, or a later one had it, or it is gone. */
export type LeaseAttempt =
  { readonly kind: 'acquired'; readonly lease: QueueLease } | { readonly kind: 'left' };

/** Gives out leases: one run at a time delivers from a queue, and a dead one is replaced when its lease ends. */
@Injectable()
export class QueueLeases {
  /** How long a lease lasts that is not renewed. */
  readonly lengthMs: number;
  private readonly held = new Map<string, QueueLease>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.lengthMs = Math.min(settings.JOB_LEASE_SECONDS * 1000, MAX_MS);
  }

  /**
   * Leases a queue, unless another run has it or a later one had it, which saw all that this one could.
   * @param fence the run's fencing number: higher than those of all earlier runs
   * @param wakes whether a run that has the queue must not pause without reading the queue again
   */
  async acquire(queueId: string, fence: number, wakes: boolean): Promise<LeaseAttempt> {
    for (;;) {
      const askedAt = this.clock.monotonicMs();
      const [taken] = await ACQUIRE_LEASE.rows(this.database, [queueId, fence, this.lengthMs]);
      if (taken) return { kind: 'acquired', lease: this.begin(queueId, fence, askedAt, taken.orphaned_ms) };
      const held = await WAKE_RUN.rows(this.database, [queueId, fence, wakes]);
      if (held.length > 0) return { kind: 'left' };
      const rows = await HAS_EARLIER_FENCE.rows(this.database, [queueId, fence]);
      // Else it was given up between the two statements.
      if (rows.length === 0) return { kind: 'left' };
    }
  }

  /**
   * A lease that the database has granted.
   * @param askedAt when it was asked for, by the monotonic clock: the one in the database ends later, never earlier
   */
  begin(queueId: string, fence: number, askedAt: number, orphanedMs: number | null): QueueLease {
    const lease = new QueueLease(queueId, fence, this.clock, askedAt + this.lengthMs, orphanedMs);
    // Of a run of this process whose lease has lapsed.
    this.held.get(queueId)?.end();
    this.held.set(queueId, lease);
    return lease;
  }

  /** Stops renewing it. */
  end(lease: QueueLease): void {
    lease.end();
    if (this.held.get(lease.queueId) === lease) this.held.delete(lease.queueId);
  }

  /**
   * Renews all leases of this process. One whose queue is being written to is left for the next
   * time, so that nothing is waited for; one that has lapsed is left to another run.
   */
  async renewAll(): Promise<void> {
    const leases = [...this.held.values()].filter(({ isHeld }) => isHeld);
    if (leases.length === 0) return;
    const askedAt = this.clock.monotonicMs();
    const rows = await RENEW_LEASES.rows(this.database, [
      leases.map(({ queueId }) => queueId),
      leases.map(({ fence }) => fence),
      this.lengthMs,
    ]);
    const renewed = new Set(rows.map(({ id }) => id));
    for (const lease of leases) if (renewed.has(lease.queueId)) lease.renew(askedAt + this.lengthMs);
  }

  /** Gives queues whose lease has lapsed another run, whichever process had them. */
  async requeueLapsed(): Promise<void> {
    const queues = await LAPSED_LEASES.rows(this.database);
    await this.jobs.addAll(
      this.database.manager,
      queues.map(({ id }) => deliveryJob(id)),
    );
  }
}
