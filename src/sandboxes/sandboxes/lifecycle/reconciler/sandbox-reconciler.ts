import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../../../kernel/common';
import { hostBound, JobHandlers, type RunningJob } from '../../../../kernel/jobs';
import { Hosts } from '../../hosts/hosts';
import { RECONCILE, type SandboxAt, SandboxStore } from '../../record/sandbox-store';
import { nextStep, ReconcileSteps } from './reconcile-steps';

/** How long one run works on a sandbox before it frees its slot. */
const MAX_RUN_MS = 5_000;
const RETRY_MS = 1_000;

/** Several times in the life of a lease. */
const RENEW_MS = 3_000;

const payload = z.object({ id: z.string() });

/**
 * Brings one sandbox to its desired state: a job that goes step by step until nothing is left to do. Runs
 * never overlap on one sandbox (a lease on its row), and a run that lost its lease changes nothing more
 * (docs/decisions/0017-sandbox-status-reconciled-by-a-job.md).
 */
@Injectable()
export class SandboxReconciler implements OnModuleInit {
  constructor(
    private readonly handlers: JobHandlers,
    private readonly hosts: Hosts,
    private readonly store: SandboxStore,
    private readonly steps: ReconcileSteps,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    const bound = (await this.hosts.workedFor()).map((hostId) => hostBound(RECONCILE, hostId));
    for (const name of [RECONCILE, ...bound])
      this.handlers.register(name, payload, ({ id }, job) => this.reconcile(id, job));
  }

  private async reconcile(id: string, job: RunningJob): Promise<void> {
    const { fence } = job.lease;
    const leased = await this.store.lease(id, fence);
    if (leased === 'unknown') return;
    if (leased === 'busy') return this.store.reconcile(id, RETRY_MS);
    try {
      await this.takeSteps(leased, job);
    } finally {
      await this.store.release(id, fence);
    }
  }

  private async takeSteps(leased: SandboxAt, job: RunningJob): Promise<void> {
    const { fence } = job.lease;
    const { id } = leased.sandbox;
    const endMs = this.clock.monotonicMs() + MAX_RUN_MS;
    for (let current: SandboxAt | null = leased; current !== null;) {
      const step = nextStep(current.sandbox);
      if (step === null) return;
      if (this.steps.isForOthers(current)) return this.store.reconcile(id, RETRY_MS);
      job.signal.throwIfAborted();
      job.lease.assertHeld();
      const taken = current;
      await this.whileLeased(taken, job, () => this.steps.take(step, { ...taken, fence }));
      if (step === 'verify') return;
      current = await this.store.renew(id, fence);
      if (this.clock.monotonicMs() > endMs) return this.store.reconcile(id, RETRY_MS);
    }
  }

  /**
   * A step may take longer than a lease lasts, as fetching an image does: the lease is renewed meanwhile, so that nobody
   * else takes the same step, until the time for it is over.
   */
  private async whileLeased(
    { sandbox, now }: SandboxAt,
    { lease }: RunningJob,
    act: () => Promise<void>,
  ): Promise<void> {
    const { id, deadlineAt } = sandbox;
    const endMs = this.clock.monotonicMs() + (deadlineAt === null ? 0 : deadlineAt.getTime() - now.getTime());
    let renewing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      if (lease.isHeld() && this.clock.monotonicMs() < endMs)
        // A failed renewal is made up for by the next.
        renewing = this.store.renew(id, lease.fence).catch(() => undefined);
    }, RENEW_MS);
    try {
      await act();
    } finally {
      clearInterval(timer);
      await renewing;
    }
  }
}
