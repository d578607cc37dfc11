import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { AgentServers } from '../../access/agent-servers';
import { LastWords } from '../../access/last-words';
import { SandboxRuntime } from '../../access/sandbox-runtime';
import { DriverError } from '../../../driver-port';
import { KEPT_LOG, KeptLogs } from '../../record/kept-logs/kept-logs';
import { type SandboxAt, SandboxStore } from '../../record/sandbox-store';
import type { Sandbox } from '../../record/sandbox.entity';
import {
  DELETED,
  deletedWithout,
  neverAnsweredWithin,
  STOPPED_ANSWERING,
} from '../desired-state/status-details';
import { failed, isActive, missing } from '../desired-state/transitions';

const PROBE_PAUSE_MS = 100;
/** How much of the last lines fits into the status of a sandbox. */
const LAST_BYTES = 800;
const FOLDER_GONE = 'The folder of the sandbox is gone.';

/** One step on the way to the desired state. */
export type Step = 'launch' | 'await-answer' | 'verify' | 'pause' | 'delete';

/** A sandbox that a run has leased, with the number it writes under. */
interface LeasedSandbox extends SandboxAt {
  readonly fence: number;
}

/** The next step of a sandbox; null when it is where it should be. */
export function nextStep({ status, stopping, launched }: Sandbox): Step | null {
  if (stopping !== null) return stopping;
  if (status === 'STARTING') return launched ? 'await-answer' : 'launch';
  return status === 'RUNNING' ? 'verify' : null;
}

/** What the reconciler does with a sandbox that it has leased. */
@Injectable()
export class ReconcileSteps {
  private readonly log = new Logger('Sandboxes');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly store: SandboxStore,
    private readonly runtime: SandboxRuntime,
    private readonly agentServers: AgentServers,
    private readonly logs: KeptLogs,
    private readonly lastWords: LastWords,
  ) {}

  /** Whether the steps of a sandbox are left to replicas that have its driver, as they are while it has time. */
  isForOthers({ sandbox, now }: SandboxAt): boolean {
    if (this.runtime.hasDriver(sandbox)) return false;
    return sandbox.deadlineAt !== null && sandbox.deadlineAt > now;
  }

  /** Takes one step. A driver's own errors end in ERROR; others are thrown, for the job to try again. */
  take(step: Step, leased: LeasedSandbox): Promise<void> {
    switch (step) {
      case 'launch':
        return this.launch(leased);
      case 'await-answer':
        return this.awaitAnswer(leased);
      case 'verify':
        return this.verify(leased);
      case 'pause':
        return this.pause(leased);
      case 'delete':
        return this.delete(leased);
    }
  }

  private async launch(leased: LeasedSandbox): Promise<void> {
    const { sandbox, fence } = leased;
    try {
      const server = await this.runtime.launch(sandbox);
      const launched = await this.store.changeAs(fence, sandbox.id, (current) => ({
        // A newer request is kept; the server's address is valid in any case.
        set: { ...server, launched: current.status === 'STARTING' && current.stopping === null },
      }));
      // It was given up meanwhile, as one whose image takes too long to be fetched: what counts nowhere must not run.
      if (launched?.sandbox.status === 'ERROR') await this.runtime.pause(launched.sandbox);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.log.warn(`Sandbox ${sandbox.id}: ${error.message}`);
      await this.fail(leased, error.message);
    }
  }

  private async awaitAnswer(leased: LeasedSandbox): Promise<void> {
    const { sandbox, fence, now } = leased;
    if (await this.agentServers.answers(sandbox)) {
      await this.store.changeAs(fence, sandbox.id, (current, at) =>
        isAwaited(current) ? { set: running(at) } : null,
      );
      return;
    }
    if (!(await this.runtime.isRunning(sandbox)))
      return this.fail(leased, `The agent server ended while it started.${await this.findings(sandbox)}`);
    if (sandbox.deadlineAt !== null && sandbox.deadlineAt <= now) {
      const findings = await this.findings(sandbox);
      await this.runtime.pause(sandbox);
      return this.fail(leased, neverAnsweredWithin(this.settings.SANDBOX_START_SECONDS) + findings);
    }
    await sleep(PROBE_PAUSE_MS);
  }

  /** Makes sure that a sandbox that should be running is. */
  private async verify(leased: LeasedSandbox): Promise<void> {
    const { sandbox, now } = leased;
    if (!(await this.runtime.isRunning(sandbox)))
      return this.failWithReason(leased, 'The agent server ended unexpectedly.');
    const { unansweredSince } = sandbox;
    const unansweredMs = unansweredSince === null ? 0 : now.getTime() - unansweredSince.getTime();
    if (unansweredMs < this.runtime.capabilities(sandbox).unresponsiveAfterMs) return;
    await this.runtime.pause(sandbox);
    await this.fail(leased, STOPPED_ANSWERING);
  }

  private async pause({ sandbox, fence }: LeasedSandbox): Promise<void> {
    await this.agentServers.pauseConversations(sandbox);
    await this.runtime.pause(sandbox);
    const isGone = (await this.runtime.describe(sandbox)) === 'missing';
    await this.store.changeAs(fence, sandbox.id, ({ stopping }) =>
      stopping === 'pause'
        ? { set: isGone ? missing(FOLDER_GONE) : { stopping: null, deadlineAt: null } }
        : null,
    );
  }

  private async delete({ sandbox, fence }: LeasedSandbox): Promise<void> {
    if (!this.runtime.hasDriver(sandbox)) {
      const detail = deletedWithout(sandbox.driver);
      this.log.warn(`Sandbox ${sandbox.id}: ${detail}`);
      await this.store.changeAs(fence, sandbox.id, () => ({ set: missing(detail) }));
      return;
    }
    if (await this.logs.isAwaited(sandbox.id)) await this.keepLog(sandbox);
    await this.runtime.delete(sandbox);
    await this.store.changeAs(fence, sandbox.id, () => ({ set: missing(DELETED) }));
  }

  /** An unreadable log must not hold up a deletion. */
  private async keepLog(sandbox: Sandbox): Promise<void> {
    const lines = await this.runtime.logs(sandbox, KEPT_LOG).catch((error: unknown) => {
      this.log.warn(`The log of sandbox ${sandbox.id} could not be read: ${messageOf(error)}`);
      return [];
    });
    // An earlier run may have stored the log and deleted its source.
    if (lines === null || lines.length > 0) await this.logs.store(sandbox.id, lines);
  }

  /** Why an agent server does not come up, as far as its driver and its last lines say; to be added to a sentence. */
  private async findings(sandbox: Sandbox): Promise<string> {
    const lastWords = await this.lastWords.of(sandbox.id, LAST_BYTES);
    return (await this.runtime.explanation(sandbox)) + (lastWords === null ? '' : `\n${lastWords}`);
  }

  private async failWithReason(leased: LeasedSandbox, detail: string): Promise<void> {
    await this.fail(leased, detail + (await this.runtime.explanation(leased.sandbox)));
  }

  /** ERROR while there is something to start again, else MISSING. */
  private async fail({ sandbox, fence }: LeasedSandbox, detail: string): Promise<void> {
    const isGone = sandbox.workingDir !== null && (await this.runtime.describe(sandbox)) === 'missing';
    await this.store.changeAs(fence, sandbox.id, (current) =>
      isActive(current) ? { set: isGone ? missing(FOLDER_GONE) : failed(detail) } : null,
    );
  }
}

function isAwaited({ status, stopping, launched }: Sandbox): boolean {
  return status === 'STARTING' && stopping === null && launched;
}

function running(now: Date): Partial<Sandbox> {
  return {
    status: 'RUNNING',
    statusDetail: null,
    deadlineAt: null,
    unansweredSince: null,
    lastActivityAt: now,
  };
}
