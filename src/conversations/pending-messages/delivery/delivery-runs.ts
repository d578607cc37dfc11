import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { z } from 'zod';
import { Clock, settledWithin, uuidText } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { FaultPoints, LeasedRuns, LeaseLostError } from '../../../kernel/leases';
import { DELIVERY_JOB } from '../leases/delivery-job-name';
import { type QueueLease, QueueLeases } from '../leases/queue-leases';
import { DeliveryRun } from './delivery-run';
import { DeliveryRepository } from './delivery.repository';

/** From this many runs on, queues are left to the jobs, which any replica takes. */
const MAX_AT_ONCE = 200;
/** A run that takes longer, because an agent server is slow, goes on without its place among the jobs. */
const PLACE_MS = 2_000;

const payload = z.object({ queueId: uuidText, wakes: z.boolean().default(false) });

/**
 * The deliveries of this process: begun, kept alive, and ended with it (docs/contract.md#delivery). Those of jobs are for
 * queues that no run delivers from: after a pause, a wake-up or the death of a run.
 */
@Injectable()
export class DeliveryRuns implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryRuns.name);
  private readonly runs: LeasedRuns<QueueLease>;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly leases: QueueLeases,
    private readonly repository: DeliveryRepository,
    private readonly delivery: DeliveryRun,
    private readonly faultPoints: FaultPoints,
    clock: Clock,
    handlers: JobHandlers,
  ) {
    const work = {
      name: 'queues',
      lengthMs: leases.lengthMs,
      most: MAX_AT_ONCE,
      keyOf: ({ queueId }: QueueLease) => queueId,
      renew: (held: readonly QueueLease[]) => leases.renew(held),
      requeueLapsed: () => leases.requeueLapsed(),
      giveUp: (lease: QueueLease, error: unknown, isStopping: boolean) =>
        this.giveUp(lease, error, isStopping),
    };
    this.runs = new LeasedRuns(work, clock, this.logger);
    handlers.register(DELIVERY_JOB, payload, (about, job) => this.runJob(about, job));
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE !== 'api') this.runs.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Starts no more runs, and waits the grace time for those under way; the rest is left to other processes. */
  async stop(): Promise<void> {
    await this.runs.stop();
  }

  /** Whether a message may be delivered by this process right away, without a job. */
  get hasRoom(): boolean {
    return this.runs.room > 0;
  }

  /** Delivers from a queue until the lease on it has ended. Never rejects. */
  begin(lease: QueueLease): Promise<void> {
    return this.runs.begin(lease, (signal) => this.deliver(lease, signal));
  }

  private async runJob({ queueId, wakes }: z.infer<typeof payload>, job: RunningJob): Promise<void> {
    const lease = await this.leases.acquire(queueId, job.lease.fence, wakes);
    if (lease !== null) await settledWithin(this.begin(lease), PLACE_MS, job.signal);
  }

  private async deliver(lease: QueueLease, signal: AbortSignal): Promise<void> {
    await this.faultPoints.reached('leased', lease.queueId);
    while (!(await this.hasEnded(lease, signal)));
    await this.faultPoints.reached('released', lease.queueId);
  }

  private async hasEnded(lease: QueueLease, signal: AbortSignal): Promise<boolean> {
    const pause = await this.delivery.drain(lease, signal);
    if (pause === 'done') return true;
    return pause === 'until woken'
      ? this.repository.release(lease, null)
      : this.repository.releaseUntil(lease, pause);
  }

  private async giveUp(lease: QueueLease, error: unknown, isStopping: boolean): Promise<void> {
    const { queueId } = lease;
    if (error instanceof LeaseLostError) {
      this.logger.warn({ queueId }, 'The queue belongs to a later run.');
      return;
    }
    if (!isStopping) this.logger.warn({ err: error, queueId }, 'A delivery run failed');
    await this.repository.giveUp(lease, isStopping).catch((failure: unknown) => {
      this.logger.warn(
        { err: failure, queueId },
        'Could not release the lease on a queue; delivery resumes when it expires',
      );
    });
  }
}
