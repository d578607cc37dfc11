import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { Clock } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { hostBound, JobHandlers, JobQueue, type RunningJob } from '../../jobs';
import { AgentServers } from '../access/agent-servers';
import { DriverError } from '../drivers/sandbox-driver';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { HOST_ID } from '../hosts/hosts';
import { DRIVE, reconcileJob } from '../record/sandbox-jobs';
import { SandboxKeys } from '../record/sandbox-keys';
import { type Decision, SandboxStore } from '../record/sandbox-store';
import { Sandbox } from '../record/sandbox.entity';
import { NO_LONGER_ANSWERED, notAnsweredWithin } from './silence';

/** How long one run waits for a sandbox before it lets others use its place. */
const PATIENCE_MS = 5_000;
const PROBE_PAUSE_MS = 100;
const AGAIN_MS = 1_000;

type Step = 'launch' | 'await' | 'look' | 'pause' | 'delete';

/**
 * Brings one sandbox to where it should be: a job that goes step by step until nothing is left to do. Runs
 * never overlap on one sandbox (a claim on its row), and a run that lost its claim changes nothing more.
 */
@Injectable()
export class SandboxReconciler {
  private readonly log = new Logger('Sandboxes');

  constructor(
    handlers: JobHandlers,
    @Inject(HOST_ID) hostId: string,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly store: SandboxStore,
    private readonly drivers: SandboxDrivers,
    private readonly keys: SandboxKeys,
    private readonly agentServers: AgentServers,
    private readonly clock: Clock,
  ) {
    const payload = z.object({ id: z.string() });
    for (const name of [DRIVE, hostBound(DRIVE, hostId)])
      handlers.register(name, payload, ({ id }, job) => this.drive(id, job));
  }

  private async drive(id: string, job: RunningJob): Promise<void> {
    const { fence } = job.lease;
    let sandbox: Sandbox | 'busy' | 'unknown' | null = await this.store.claim(id, fence);
    if (sandbox === 'unknown') return;
    if (sandbox === 'busy') {
      await this.again(id);
      return;
    }
    const patienceEnds = this.clock.monotonicMs() + PATIENCE_MS;
    try {
      while (sandbox !== null) {
        const step = nextStep(sandbox);
        if (step === null) return;
        job.signal.throwIfAborted();
        job.lease.assertHeld();
        await this.take(step, sandbox, fence);
        if (step === 'look') return;
        sandbox = await this.store.renew(id, fence);
        if (this.clock.monotonicMs() > patienceEnds) {
          await this.again(id);
          return;
        }
      }
    } finally {
      await this.store.release(id, fence);
    }
  }

  private async take(step: Step, sandbox: Sandbox, fence: number): Promise<void> {
    switch (step) {
      case 'launch':
        return this.launch(sandbox, fence);
      case 'await':
        return this.awaitAnswer(sandbox, fence);
      case 'look':
        return this.look(sandbox, fence);
      case 'pause':
        return this.pause(sandbox, fence);
      case 'delete':
        return this.delete(sandbox, fence);
    }
  }

  private async launch(sandbox: Sandbox, fence: number): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    const driven = this.keys.driven(sandbox);
    try {
      const server = await (sandbox.workingDir === null ? driver.start(driven) : driver.resume(driven));
      await this.store.changeAs(fence, sandbox.id, (now) => ({
        // What was asked for meanwhile stands; where the server is, is true all the same.
        set: { ...server, launched: now.status === 'STARTING' && now.stopping === null },
      }));
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.log.warn(`Sandbox ${sandbox.id}: ${error.message}`);
      await this.fail(sandbox, fence, error.message);
    }
  }

  private async awaitAnswer(sandbox: Sandbox, fence: number): Promise<void> {
    if (await this.agentServers.answers(sandbox)) {
      await this.store.changeAs(fence, sandbox.id, (now) =>
        whileStarting(now, {
          set: {
            status: 'RUNNING',
            statusDetail: null,
            deadlineAt: null,
            unansweredSince: null,
            lastActivityAt: this.clock.now(),
          },
        }),
      );
      return;
    }
    const found = await this.drivers.named(sandbox.driver).describe(this.keys.driven(sandbox));
    if (found !== 'running') return this.fail(sandbox, fence, 'The agent server ended while it started.');
    if (sandbox.deadlineAt !== null && sandbox.deadlineAt <= this.clock.now()) {
      await this.drivers.named(sandbox.driver).pause(this.keys.driven(sandbox));
      return this.fail(sandbox, fence, notAnsweredWithin(this.settings.SANDBOX_START_SECONDS));
    }
    await sleep(PROBE_PAUSE_MS);
  }

  /** A sandbox that should be running: whether it is. */
  private async look(sandbox: Sandbox, fence: number): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    const silentFor =
      sandbox.unansweredSince === null ? 0 : this.clock.now().getTime() - sandbox.unansweredSince.getTime();
    if ((await driver.describe(this.keys.driven(sandbox))) !== 'running')
      return this.fail(sandbox, fence, 'The agent server ended unexpectedly.');
    if (silentFor < driver.silenceMs) return;
    await driver.pause(this.keys.driven(sandbox));
    await this.fail(sandbox, fence, NO_LONGER_ANSWERED);
  }

  private async pause(sandbox: Sandbox, fence: number): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    await this.agentServers.pauseConversations(sandbox);
    await driver.pause(this.keys.driven(sandbox));
    const isGone = (await driver.describe(this.keys.driven(sandbox))) === 'missing';
    await this.store.changeAs(fence, sandbox.id, (now) =>
      now.stopping === 'pause'
        ? { set: { stopping: null, deadlineAt: null, ...(isGone ? goneForGood() : {}) } }
        : null,
    );
  }

  private async delete(sandbox: Sandbox, fence: number): Promise<void> {
    if (!this.drivers.named(sandbox.driver).givesKeys) await this.agentServers.deleteConversations(sandbox);
    await this.drivers.named(sandbox.driver).delete(this.keys.driven(sandbox));
    await this.store.changeAs(fence, sandbox.id, () => ({
      set: { ...goneForGood(), statusDetail: 'The sandbox was deleted.', stopping: null, deadlineAt: null },
    }));
  }

  /** ERROR while there is something to start again, else MISSING. */
  private async fail(sandbox: Sandbox, fence: number, detail: string): Promise<void> {
    const found = await this.drivers.named(sandbox.driver).describe(this.keys.driven(sandbox));
    const isGone = found === 'missing' && sandbox.workingDir !== null;
    await this.store.changeAs(fence, sandbox.id, (now) =>
      whileWanted(now, {
        set: {
          ...(isGone ? goneForGood() : { status: 'ERROR', statusDetail: detail }),
          deadlineAt: null,
          unansweredSince: null,
        },
      }),
    );
  }

  private async again(id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const sandbox = await tx.findOneBy(Sandbox, { id });
      if (sandbox !== null) await this.jobs.add(tx, reconcileJob(sandbox, AGAIN_MS));
    });
  }
}

function nextStep({ status, stopping, launched }: Sandbox): Step | null {
  if (stopping !== null) return stopping;
  if (status === 'STARTING') return launched ? 'await' : 'launch';
  return status === 'RUNNING' ? 'look' : null;
}

function whileStarting({ status, stopping, launched }: Sandbox, decision: Decision): Decision {
  return status === 'STARTING' && stopping === null && launched ? decision : null;
}

function whileWanted({ status, stopping }: Sandbox, decision: Decision): Decision {
  return (status === 'STARTING' || status === 'RUNNING') && stopping === null ? decision : null;
}

/** Nobody can use the key of a sandbox that is gone. */
function goneForGood(): Partial<Sandbox> {
  return {
    status: 'MISSING',
    statusDetail: 'The folder of the sandbox is gone.',
    sealedSessionKey: null,
    sessionKeyDigest: null,
    baseUrl: null,
    port: null,
  };
}
