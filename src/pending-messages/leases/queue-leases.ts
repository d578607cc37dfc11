import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { JobQueue } from '../../jobs';
import { deliveryJob } from './delivery-job-name';
import { QueueLease } from './queue-lease';

/**
 * A claim lasts as long as a job's lease where that is shorter than this: with the settling time of 10 s after
 * it, what was on its way when a process died goes out within 15 s.
 */
const MAX_MS = 2_500;

/** What came of the wish to claim a queue: another run has it, or a later one had it, or it is gone. */
export type LeaseAttempt = { readonly kind: 'taken'; readonly claim: QueueLease } | { readonly kind: 'left' };

/** Gives out claims: one run at a time delivers from a queue, and a dead one is replaced when its claim ends. */
@Injectable()
export class QueueLeases {
  /** How long a claim lasts that is not prolonged. */
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
   * Claims a queue, unless another run has it or a later one had it, which saw all that this one could.
   * @param fence the run's fencing number: higher than those of all earlier runs
   * @param wakes whether a run that has the queue is told not to pause without another look
   */
  async take(queueId: string, fence: number, wakes: boolean): Promise<LeaseAttempt> {
    for (;;) {
      const askedAt = this.clock.monotonicMs();
      const [taken] = await this.database.query<[{ orphaned_ms: number | null }[], number]>(
        `UPDATE message_queues q
            SET fence = $2, claimed_until = now() + $3 * interval '1 millisecond', woken = false
           FROM (SELECT id, claimed_until FROM message_queues WHERE id = $1 FOR NO KEY UPDATE) AS old
          WHERE q.id = old.id AND q.fence < $2 AND (q.claimed_until IS NULL OR q.claimed_until < now())
         RETURNING (extract(epoch FROM now() - old.claimed_until) * 1000)::float8 AS orphaned_ms`,
        [queueId, fence, this.lengthMs],
      );
      if (taken[0])
        return { kind: 'taken', claim: this.begin(queueId, fence, askedAt, taken[0].orphaned_ms) };
      const [held] = await this.database.query<[unknown[], number]>(
        `UPDATE message_queues SET woken = woken OR $3
          WHERE id = $1 AND fence < $2 AND claimed_until >= now() RETURNING id`,
        [queueId, fence, wakes],
      );
      if (held.length > 0) return { kind: 'left' };
      const rows = await this.database.query<unknown[]>(
        'SELECT 1 FROM message_queues WHERE id = $1 AND fence < $2',
        [queueId, fence],
      );
      // Else it was given up between the two statements.
      if (rows.length === 0) return { kind: 'left' };
    }
  }

  /**
   * A claim that the database has noted.
   * @param askedAt when it was asked for, by the monotonic clock: what the database noted is later, never earlier
   */
  begin(queueId: string, fence: number, askedAt: number, orphanedMs: number | null): QueueLease {
    const claim = new QueueLease(queueId, fence, this.clock, askedAt + this.lengthMs, orphanedMs);
    // Of a run of this process whose claim has lapsed.
    this.held.get(queueId)?.end();
    this.held.set(queueId, claim);
    return claim;
  }

  /** Prolongs it no more. */
  end(claim: QueueLease): void {
    claim.end();
    if (this.held.get(claim.queueId) === claim) this.held.delete(claim.queueId);
  }

  /**
   * Prolongs all claims of this process. One whose queue somebody is just writing to is left for the next
   * time, so that nothing is waited for; one that has lapsed is left to another run.
   */
  async prolong(): Promise<void> {
    const claims = [...this.held.values()].filter(({ isHeld }) => isHeld);
    if (claims.length === 0) return;
    const askedAt = this.clock.monotonicMs();
    const [rows] = await this.database.query<[{ id: string }[], number]>(
      `WITH own AS (
         SELECT q.id FROM message_queues q
           JOIN unnest($1::uuid[], $2::bigint[]) AS c (id, fence) ON q.id = c.id AND q.fence = c.fence
          WHERE q.claimed_until IS NOT NULL
            FOR NO KEY UPDATE OF q SKIP LOCKED
       )
       UPDATE message_queues q SET claimed_until = now() + $3 * interval '1 millisecond'
         FROM own WHERE q.id = own.id RETURNING q.id`,
      [claims.map(({ queueId }) => queueId), claims.map(({ fence }) => fence), this.lengthMs],
    );
    const prolonged = new Set(rows.map(({ id }) => id));
    for (const claim of claims) if (prolonged.has(claim.queueId)) claim.prolong(askedAt + this.lengthMs);
  }

  /** Has runs that died replaced, whichever process they were of. */
  async replaceDead(): Promise<void> {
    const queues = await this.database.query<{ id: string }[]>(
      'SELECT id FROM message_queues WHERE claimed_until < now() LIMIT 1000',
    );
    await this.jobs.addAll(
      this.database.manager,
      queues.map(({ id }) => deliveryJob(id)),
    );
  }
}
