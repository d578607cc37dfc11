import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { AgentServers } from '../../access/agent-servers';
import { SandboxRuntime } from '../../access/sandbox-runtime';
import { type Decision, SandboxStore } from '../../record/sandbox-store';
import type { Sandbox } from '../../record/sandbox.entity';
import { ConcurrencyLimitReachedError } from '../../record/sandboxes.errors';
import { SandboxLifecycle } from '../desired-state/sandbox-lifecycle';
import { DELETED } from '../desired-state/status-details';
import { giveUp, pause } from '../desired-state/transitions';

const MAX_RECOGNIZED = 10_000;

/** A start or stop that is this much past its deadline has no job working on it. */
const LATE_MS = 10_000;

/** Compares one sandbox with its desired state, and has the reconciler close the gap. */
@Injectable()
export class SandboxInspection {
  private readonly log = new Logger('Sandboxes');
  /** Sandboxes whose key this process has checked; for them a health check is enough from then on. */
  private readonly recognized = new Set<string>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: SandboxStore,
    private readonly desired: SandboxLifecycle,
    private readonly runtime: SandboxRuntime,
    private readonly agentServers: AgentServers,
  ) {}

  /** @param now when the sandbox was read, by the database's clock */
  async inspect(sandbox: Sandbox, now: Date): Promise<void> {
    const { status } = sandbox;
    if (status !== 'RUNNING' && status !== 'ERROR') return this.reconcileOrGiveUp(sandbox, now);
    // The start and the doctor have named it.
    if (!this.runtime.hasDriver(sandbox)) return;
    if (status === 'RUNNING') await this.inspectRunning(sandbox, now);
    else await this.reviveWhenBack(sandbox);
  }

  private async reconcileOrGiveUp(sandbox: Sandbox, now: Date): Promise<void> {
    const reason = isLate(sandbox, now) ? await this.runtime.explanation(sandbox) : '';
    await this.store.change(sandbox.id, (current, at) => reconcileOrGiveUp(current, at, reason));
  }

  /** Re-checks the key of a sandbox at its next inspection, since another server may answer for it. */
  forget(id: string): void {
    this.recognized.delete(id);
  }

  private async inspectRunning(sandbox: Sandbox, now: Date): Promise<void> {
    if (!(await this.runtime.isRunning(sandbox))) return this.store.reconcile(sandbox.id);
    if (!(await this.isAnswering(sandbox))) {
      const { unresponsiveAfterMs } = this.runtime.capabilities(sandbox);
      await this.store.change(sandbox.id, (current, at) => noteUnanswered(current, at, unresponsiveAfterMs));
      return;
    }
    if (sandbox.unansweredSince !== null)
      await this.store.change(sandbox.id, ({ status }) =>
        status === 'RUNNING' ? { set: { unansweredSince: null } } : null,
      );
    await this.pauseWhenIdle(sandbox, now);
  }

  /** A server that was not started here may come back by itself; who used it lately need not ask for it. */
  private async reviveWhenBack(sandbox: Sandbox): Promise<void> {
    if (!(await this.runtime.isRunning(sandbox)) || !(await this.agentServers.answers(sandbox))) return;
    try {
      await this.database.transaction((transaction) => this.desired.resume(transaction, sandbox.id));
    } catch (error) {
      // It waits for capacity; a caller who needs it sooner resumes it, and gets the reason.
      if (error instanceof ConcurrencyLimitReachedError) return;
      throw error;
    }
    this.log.log(`The server of sandbox ${sandbox.id} answers again.`);
  }

  private async isAnswering(sandbox: Sandbox): Promise<boolean> {
    if (this.recognized.has(sandbox.id)) return this.agentServers.isHealthy(sandbox);
    const answers = await this.agentServers.answers(sandbox);
    if (this.recognized.size >= MAX_RECOGNIZED) this.recognized.clear();
    if (answers) this.recognized.add(sandbox.id);
    return answers;
  }

  private async pauseWhenIdle(sandbox: Sandbox, now: Date): Promise<void> {
    if (!this.isIdle(sandbox, now)) return;
    const idleSeconds = await this.idleSeconds(sandbox);
    if (idleSeconds !== null && idleSeconds <= this.settings.SANDBOX_IDLE_SECONDS) {
      await this.store.change(sandbox.id, (_, at) => ({
        set: { lastActivityAt: new Date(at.getTime() - idleSeconds * 1000) },
      }));
      return;
    }
    const paused = await this.store.change(sandbox.id, (current, at) =>
      this.isIdle(current, at) ? pause(current, at) : null,
    );
    if (paused !== null) this.log.log(`Sandbox ${sandbox.id} is idle and is paused.`);
  }

  /** As the agent server says; null when it cannot. A tool may run for long without a sign of it. */
  private async idleSeconds(sandbox: Sandbox): Promise<number | null> {
    if (await this.agentServers.hasAgentAtWork(sandbox)) return 0;
    // A client that talks to the agent server directly is seen there only.
    const { sharedServer } = this.runtime.capabilities(sandbox);
    return sharedServer ? null : this.agentServers.idleSeconds(sandbox);
  }

  private isIdle({ lastActivityAt }: Sandbox, now: Date): boolean {
    return now.getTime() - lastActivityAt.getTime() > this.settings.SANDBOX_IDLE_SECONDS * 1000;
  }
}

/** Since when the server leaves health checks unanswered; after too long the reconciler ends it. */
function noteUnanswered(sandbox: Sandbox, now: Date, unresponsiveAfterMs: number): Decision {
  const { status, unansweredSince } = sandbox;
  if (status !== 'RUNNING') return null;
  if (unansweredSince === null) return { set: { unansweredSince: now } };
  return now.getTime() - unansweredSince.getTime() >= unresponsiveAfterMs ? { reconcileInMs: 0 } : null;
}

/** A sandbox that starts or stops needs a job, unless its deadline passed long ago. */
function reconcileOrGiveUp(sandbox: Sandbox, now: Date, reason: string): Decision {
  const { status, stopping } = sandbox;
  if (stopping === null && status !== 'STARTING') return null;
  if (!isLate(sandbox, now)) return { reconcileInMs: 0 };
  return giveUp(sandbox, { deleted: DELETED, failed: `The sandbox did not get there in time.${reason}` });
}

function isLate({ deadlineAt }: Sandbox, now: Date): boolean {
  return deadlineAt !== null && now.getTime() - deadlineAt.getTime() > LATE_MS;
}
