import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { messageOf } from '../../../kernel/common';
import { hostBound, JobHandlers } from '../../../kernel/jobs';
import { SandboxRuntime } from '../access/sandbox-runtime';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { HostSandboxes } from '../hosts/host-sandboxes';
import { Hosts } from '../hosts/hosts';
import { type Decision, SandboxStore } from '../record/sandbox-store';
import type { Sandbox } from '../record/sandbox.entity';
import { SandboxLifecycle } from './desired-state/sandbox-lifecycle';
import { HOST_AWAY } from './desired-state/status-details';
import { giveUp, isActive } from './desired-state/transitions';

const CHECK_SECONDS = 10;

/** The heartbeat of a host is no job, which may have to wait for others. */
const HEARTBEAT_MS = 5_000;

/**
 * Handles hosts that go away and return. Sandboxes of a driver that stops with the service are paused with it; all
 * others run on while it restarts, and all do when it is killed. Their drivers find them again
 * (docs/decisions/0016-hosts-own-sandboxes.md).
 */
@Injectable()
export class HostPresence implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Sandboxes');
  private timer: NodeJS.Timeout | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly handlers: JobHandlers,
    private readonly hosts: Hosts,
    private readonly sandboxes: HostSandboxes,
    private readonly drivers: SandboxDrivers,
    private readonly runtime: SandboxRuntime,
    private readonly store: SandboxStore,
    private readonly desired: SandboxLifecycle,
  ) {}

  /** Early, so that other replicas do not take this host for absent. */
  async onModuleInit(): Promise<void> {
    this.handlers.every('sandbox-hosts', CHECK_SECONDS, () => this.giveUpOnAwayHosts());
    for (const hostId of await this.hosts.workedFor())
      this.handlers.every(hostBound('sandbox-hosts', hostId), CHECK_SECONDS, () => this.adoptGivenUp(hostId));
    if (!this.hosts.works) return;
    await this.hosts.recordHeartbeat();
    this.timer = setInterval(() => void this.sendHeartbeat(), HEARTBEAT_MS).unref();
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.hosts.works) return;
    await this.drivers.current.prepare?.();
    await this.resumePausedWithHost();
    for (const hostId of await this.hosts.workedFor()) await this.adoptGivenUp(hostId);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Ends the heartbeat, and the sandboxes that stop with the service, once. What cannot be ended is logged. */
  stop(): Promise<void> {
    return (this.stopped ??= this.stopSandboxes());
  }

  private async stopSandboxes(): Promise<void> {
    clearInterval(this.timer);
    if (!this.hosts.works) return;
    try {
      const stopping = await this.sandboxes.activeOf(this.hosts.own, this.drivers.stoppingWithService());
      await Promise.all(stopping.map((sandbox) => this.stopWithService(sandbox)));
    } catch (error) {
      this.log.warn(
        `Sandboxes that stop with the service could not be looked up and may run on: ${messageOf(error)}`,
      );
    }
  }

  private async sendHeartbeat(): Promise<void> {
    await this.hosts
      .recordHeartbeat()
      .catch((error: unknown) =>
        this.log.warn(`The heartbeat of this host could not be recorded: ${String(error)}`),
      );
  }

  private async stopWithService(sandbox: Sandbox): Promise<void> {
    try {
      await this.store.change(sandbox.id, (current) =>
        isActive(current)
          ? { set: { status: 'PAUSED', statusDetail: 'Paused with the service.', resumesWithHost: true } }
          : null,
      );
      await this.runtime.stopNow(sandbox);
    } catch (error) {
      this.log.warn(`Sandbox ${sandbox.id} may have been left running: ${String(error)}`);
    }
  }

  private async resumePausedWithHost(): Promise<void> {
    for (const { id } of await this.sandboxes.pausedWith(this.hosts.own))
      await this.store.change(id, (current, now) =>
        current.status === 'PAUSED' && current.resumesWithHost ? this.desired.started(now) : null,
      );
  }

  /** Sandboxes that count as failed since a host was away, and still run. */
  private async adoptGivenUp(hostId: string): Promise<void> {
    for (const sandbox of await this.sandboxes.failedOf(hostId, HOST_AWAY)) {
      // Its engine may still be away: it is checked again.
      if (!(await this.runtime.isRunning(sandbox).catch(() => false))) continue;
      await this.store.change(sandbox.id, ({ status }, now) =>
        status === 'ERROR' ? this.desired.adopted(now) : null,
      );
    }
  }

  private async giveUpOnAwayHosts(): Promise<void> {
    for (const id of await this.sandboxes.idsOfAwayHosts()) await this.store.change(id, giveUpOnHost);
  }
}

function giveUpOnHost(sandbox: Sandbox, now: Date): Decision {
  const { status, stopping, deadlineAt } = sandbox;
  if (status === 'MISSING') return null;
  // A pending deletion waits for its host until its deadline.
  if (stopping === 'delete' && deadlineAt !== null && deadlineAt > now) return null;
  return giveUp(sandbox, { deleted: HOST_AWAY, failed: HOST_AWAY });
}
