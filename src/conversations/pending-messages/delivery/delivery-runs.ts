import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DeliveryRepository } from './delivery.repository';
import { DeliveryRun } from './delivery-run';
import { DeliveryFaultPoints } from './delivery-fault-points';
import { QueueLeaseLostError, type QueueLease } from '../leases/queue-lease';
import { QueueLeases } from '../leases/queue-leases';

/** From this many runs on, queues are left to the jobs, which every replica takes as it can. */
const MAX_AT_ONCE = 200;
/** Of the five seconds that a stop may take, what deliveries are given to come to an end. */
const GRACE_MS = 2_500;

/** The deliveries of this process: begun, kept alive, and ended with it (docs/contract.md#delivery). */
@Injectable()
export class DeliveryRuns implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryRuns.name);
  private readonly abort = new AbortController();
  /** By queue. */
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly leases: QueueLeases,
    private readonly repository: DeliveryRepository,
    private readonly delivery: DeliveryRun,
    private readonly faultPoints: DeliveryFaultPoints,
  ) {
    // Every run may listen.
    setMaxListeners(0, this.abort.signal);
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE === 'api') return;
    this.timer = setInterval(() => void this.renewLeases(), this.leases.lengthMs / 4);
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Begins no more, and gives what is on its way the grace time; what is not settled then is left to others. */
  stop(): Promise<void> {
    return (this.stopped ??= this.drain());
  }

  /** Whether a message may be delivered by this process right away, without a job. */
  get hasRoom(): boolean {
    return this.timer !== undefined && !this.abort.signal.aborted && this.running.size < MAX_AT_ONCE;
  }

  /** Delivers from a queue until the lease on it has ended. Never rejects. */
  begin(lease: QueueLease): Promise<void> {
    const { queueId } = lease;
    const run = this.deliver(lease, this.running.get(queueId)).finally(() => {
      if (this.running.get(queueId) === run) this.running.delete(queueId);
    });
    this.running.set(queueId, run);
    return run;
  }

  private async drain(): Promise<void> {
    this.abort.abort(new Error('The service stops.'));
    await Promise.race([Promise.all(this.running.values()), pause(GRACE_MS)]);
    clearInterval(this.timer);
  }

  /** @param earlier a run of the same queue whose lease has lapsed, and which may not have noticed yet */
  private async deliver(lease: QueueLease, earlier: Promise<void> | undefined): Promise<void> {
    try {
      await earlier;
      await this.faultPoints.reached('leased', lease.queueId);
      while (!(await this.hasEnded(lease)));
      await this.faultPoints.reached('released', lease.queueId);
    } catch (error) {
      await this.giveUp(lease, error);
    } finally {
      this.leases.end(lease);
    }
  }

  private async hasEnded(lease: QueueLease): Promise<boolean> {
    const pause = await this.delivery.drain(lease, this.abort.signal);
    if (pause === 'done') return true;
    return pause === 'until woken'
      ? this.repository.release(lease, null)
      : this.repository.releaseUntil(lease, pause);
  }

  private async giveUp(lease: QueueLease, error: unknown): Promise<void> {
    const { queueId } = lease;
    const isInterrupted = this.abort.signal.aborted;
    if (error instanceof QueueLeaseLostError) {
      this.logger.warn({ queueId }, error.message);
      return;
    }
    if (!isInterrupted) this.logger.warn({ err: error, queueId }, 'A delivery run failed');
    await this.repository.giveUp(lease, isInterrupted).catch((failure: unknown) => {
      this.logger.warn(
        { err: failure, queueId },
        'Could not release the lease on a queue; delivery resumes when it expires',
      );
    });
  }

  private async renewLeases(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      await this.leases.renewAll();
      await this.leases.requeueLapsed();
    } catch (error) {
      this.logger.warn({ err: error }, 'The leases on queues could not be renewed');
    } finally {
      this.isRenewing = false;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
