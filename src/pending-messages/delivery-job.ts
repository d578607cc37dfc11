import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Clock } from '../common';
import { JobHandlers, JobQueue, type NewJob, type RunningJob } from '../jobs';
import { DELIVERY_JOB, deliveryJob, watchJob } from './delivery-job-name';
import { DeliveryRows } from './delivery-rows';
import { DeliveryRun } from './delivery-run';
import { DeliverySteps } from './delivery-steps';
import { ClaimLostError, type QueueClaim, QueueClaims } from './queue-claim';

const payload = z.object({ queueId: z.uuid(), wakes: z.boolean().default(false) });
/** A run that takes longer, because an agent server is slow, goes on without its place among the jobs. */
const PLACE_MS = 2_000;
const RETRY_MS = 1_000;

/** Has queues delivered: one run at a time for each, which another takes over when it dies (decisions 11). */
@Injectable()
export class DeliveryJob {
  private readonly logger = new Logger(DeliveryJob.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly claims: QueueClaims,
    private readonly rows: DeliveryRows,
    private readonly delivery: DeliveryRun,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly steps: DeliverySteps,
    handlers: JobHandlers,
  ) {
    handlers.register(DELIVERY_JOB, payload, (about, job) => this.run(about, job));
  }

  private async run({ queueId, wakes }: z.infer<typeof payload>, job: RunningJob): Promise<void> {
    const attempt = await this.claims.take(queueId, job.lease.fence, wakes);
    if (attempt.kind === 'held') await this.add(watchJob(queueId, attempt.until));
    if (attempt.kind !== 'taken') return;
    await this.steps.reached('claimed', queueId);
    const work = this.deliver(attempt.claim, job.signal);
    if (await endsWithin(work, PLACE_MS)) return work;
    // The claim is prolonged as long as this process lives; a job looks whether it still does.
    work.catch((error: unknown) => this.logger.warn({ err: error, queueId }, 'A delivery run failed'));
    await this.add(watchJob(queueId, this.clock.now()));
  }

  private async deliver(claim: QueueClaim, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const rest = await this.delivery.drain(claim, signal);
        if (rest === 'done') break;
        if (
          rest === 'until woken' ? await this.rows.release(claim) : await this.rows.releaseUntil(claim, rest)
        )
          break;
      }
      await this.steps.reached('released', claim.queueId);
    } catch (error) {
      if (error instanceof ClaimLostError) {
        this.logger.warn({ queueId: claim.queueId }, error.message);
        await this.add(deliveryJob(claim.queueId, new Date(this.clock.now().getTime() + RETRY_MS)));
        return;
      }
      await this.rows.giveUp(claim);
      throw error;
    } finally {
      claim.end();
    }
  }

  private async add(job: NewJob): Promise<void> {
    await this.jobs.add(this.database.manager, job);
  }
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
