import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { hostBound, JobHandlers, JobQueue } from '../../jobs';
import { AgentServers } from '../access/agent-servers';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { reconcileJob } from '../record/sandbox-jobs';
import { SandboxKeys } from '../record/sandbox-keys';
import { SandboxStore } from '../record/sandbox-store';
import { SandboxDesiredState } from './sandbox-desired-state';
import { Sandbox } from '../record/sandbox.entity';
import { ConcurrencyLimitReachedError } from '../record/sandboxes.errors';
import { NO_LONGER_ANSWERED, notAnsweredWithin } from './silence';

const WATCH_SECONDS = 3;
const AT_ONCE = 8;
const MAX_RECOGNIZED = 10_000;

/** A state that is this much past its limit has nobody who works on it. */
const LATE_MS = 10_000;

/** Looks after sandboxes every few seconds: who died, who hangs, who is idle, whose time is over. */
@Injectable()
export class SandboxHealthMonitor {
  private readonly log = new Logger('Sandboxes');
  /** Those whose key this process has checked; afterwards their health says enough. */
  private readonly recognized = new Set<string>();

  constructor(
    handlers: JobHandlers,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    hosts: Hosts,
    private readonly store: SandboxStore,
    private readonly desired: SandboxDesiredState,
    private readonly drivers: SandboxDrivers,
    private readonly keys: SandboxKeys,
    private readonly agentServers: AgentServers,
    private readonly clock: Clock,
  ) {
    handlers.every(hostBound('sandbox-watch', hosts.own), WATCH_SECONDS, () => this.watch(hosts.own));
    handlers.every('sandbox-watch', WATCH_SECONDS, () => this.watch(null));
    for (const driver of drivers.ofThisHost) driver.onExit((id) => this.ended(id));
  }

  /** The sandboxes of a host, or those of none, that somebody has to work on or to look at. */
  private async watch(hostId: string | null): Promise<void> {
    const query = this.database.manager
      .createQueryBuilder(Sandbox, 'sandbox')
      .where(
        `(sandbox.status IN ('STARTING', 'RUNNING') OR sandbox.stopping IS NOT NULL
          OR sandbox.status = 'ERROR' AND sandbox.statusDetail IN (:...silent) AND sandbox.hostId IS NULL
             AND sandbox.lastActivityAt > :inUseAfter
             AND EXISTS (SELECT FROM org_members
                          WHERE org_id = sandbox.orgId AND user_id = sandbox.createdByUserId))`,
        {
          silent: [NO_LONGER_ANSWERED, notAnsweredWithin(this.settings.SANDBOX_START_SECONDS)],
          inUseAfter: this.idleBefore(),
        },
      )
      .andWhere('(sandbox.claimedUntil IS NULL OR sandbox.claimedUntil < now())');
    const rows = await (
      hostId === null
        ? query.andWhere('sandbox.hostId IS NULL')
        : query.andWhere('sandbox.hostId = :hostId', { hostId })
    ).getMany();
    for (let n = 0; n < rows.length; n += AT_ONCE)
      await Promise.all(rows.slice(n, n + AT_ONCE).map((sandbox) => this.inspect(sandbox)));
  }

  private async inspect(sandbox: Sandbox): Promise<void> {
    try {
      if (sandbox.status === 'RUNNING') await this.inspectRunning(sandbox);
      else if (sandbox.status === 'ERROR') await this.reviveWhenBack(sandbox);
      else if (this.isLate(sandbox)) await this.expire(sandbox);
      else await this.drive(sandbox);
    } catch (error) {
      this.log.warn(`Sandbox ${sandbox.id} could not be looked at: ${String(error)}`);
    }
  }

  private async inspectRunning(sandbox: Sandbox): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    if ((await driver.describe(this.keys.driven(sandbox))) !== 'running') return this.drive(sandbox);
    if (!(await this.isAnswering(sandbox))) {
      const since = sandbox.unansweredSince;
      if (since === null) await this.noteSilence(sandbox.id, this.clock.now());
      else if (this.clock.now().getTime() - since.getTime() >= driver.silenceMs) await this.drive(sandbox);
      return;
    }
    if (sandbox.unansweredSince !== null) await this.noteSilence(sandbox.id, null);
    await this.pauseWhenIdle(sandbox);
  }

  /** A server that was not started here may come back by itself; who used it lately need not ask for it. */
  private async reviveWhenBack(sandbox: Sandbox): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    if ((await driver.describe(this.keys.driven(sandbox))) !== 'running') return;
    if (!(await this.agentServers.answers(sandbox))) return;
    try {
      await this.database.transaction((transaction) => this.desired.resume(transaction, sandbox.id));
    } catch (error) {
      // It waits for a place; who needs it sooner resumes it, and hears why not.
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

  private async noteSilence(id: string, unansweredSince: Date | null): Promise<void> {
    await this.store.change(id, ({ status }) => (status === 'RUNNING' ? { set: { unansweredSince } } : null));
  }

  private async pauseWhenIdle(sandbox: Sandbox): Promise<void> {
    const limitMs = this.settings.SANDBOX_IDLE_SECONDS * 1000;
    const isIdle = (at: Date): boolean => at < this.idleBefore();
    if (!isIdle(sandbox.lastActivityAt)) return;
    // An agent at work, or a client that talks to the agent server directly, is seen there only.
    const { givesKeys } = this.drivers.named(sandbox.driver);
    const seconds = !givesKeys ? null : await this.agentServers.idleSeconds(sandbox);
    if (seconds !== null && seconds * 1000 <= limitMs) {
      const lastActivityAt = new Date(this.clock.now().getTime() - seconds * 1000);
      await this.store.change(sandbox.id, () => ({ set: { lastActivityAt } }));
      return;
    }
    const paused = await this.store.change(sandbox.id, (now) =>
      isIdle(now.lastActivityAt) ? this.desired.paused(now) : null,
    );
    if (paused !== null) this.log.log(`Sandbox ${sandbox.id} is idle and is paused.`);
  }

  private idleBefore(): Date {
    return new Date(this.clock.now().getTime() - this.settings.SANDBOX_IDLE_SECONDS * 1000);
  }

  private isLate({ deadlineAt }: Sandbox): boolean {
    return deadlineAt !== null && this.clock.now().getTime() - deadlineAt.getTime() > LATE_MS;
  }

  /** What did not come to its end in time: ERROR, or MISSING where it was to be deleted. */
  private async expire(sandbox: Sandbox): Promise<void> {
    await this.store.change(sandbox.id, (now) => {
      if (now.status === 'RUNNING' || !this.isLate(now)) return null;
      const isDeleted = now.stopping === 'delete';
      return {
        leftover: isDeleted,
        set: {
          status: isDeleted ? 'MISSING' : 'ERROR',
          statusDetail: isDeleted ? 'The sandbox was deleted.' : 'The sandbox did not get there in time.',
          stopping: null,
          deadlineAt: null,
          ...(isDeleted ? { sealedSessionKey: null, sessionKeyDigest: null } : {}),
        },
      };
    });
  }

  private ended(id: string): void {
    this.recognized.delete(id);
    if (!this.database.isInitialized) return; // the service has ended; the next one finds out
    this.database.manager
      .findOneBy(Sandbox, { id })
      .then((sandbox) => (sandbox === null ? undefined : this.drive(sandbox)))
      .catch((error: unknown) =>
        this.log.warn(`The end of sandbox ${id} waits to be noticed: ${String(error)}`),
      );
  }

  private async drive(sandbox: Sandbox): Promise<void> {
    await this.jobs.add(this.database.manager, reconcileJob(sandbox));
  }
}
