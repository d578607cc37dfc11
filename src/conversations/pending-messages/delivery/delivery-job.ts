import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { DELIVERY_JOB } from '../leases/delivery-job-name';
import { DeliveryRuns } from './delivery-runs';
import { QueueLeases } from '../leases/queue-leases';

const payload = z.object({ queueId: uuidText, wakes: z.boolean().default(false) });
/** A run that takes longer, because an agent server is slow, goes on without its place among the jobs. */
const PLACE_MS = 2_000;

/** Delivers from a queue when no run does: after a pause, a wake-up or the death of a run. */
@Injectable()
export class DeliveryJob {
  constructor(
    private readonly leases: QueueLeases,
    private readonly runs: DeliveryRuns,
    handlers: JobHandlers,
  ) {
    handlers.register(DELIVERY_JOB, payload, (about, job) => this.run(about, job));
  }

  private async run({ queueId, wakes }: z.infer<typeof payload>, job: RunningJob): Promise<void> {
    const attempt = await this.leases.acquire(queueId, job.lease.fence, wakes);
    if (attempt.kind === 'acquired') await endOrTime(this.runs.begin(attempt.lease), PLACE_MS, job.signal);
  }
}

async function endOrTime(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  await Promise.race([work, over]);
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
}
