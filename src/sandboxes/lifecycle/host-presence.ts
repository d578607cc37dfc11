import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { JobHandlers } from '../../jobs';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { HOST_AWAY_SECONDS, Hosts } from '../hosts/hosts';
import { SandboxKeys } from '../record/sandbox-keys';
import { SandboxStore } from '../record/sandbox-store';
import { SandboxDesiredState } from './sandbox-desired-state';
import { Sandbox } from '../record/sandbox.entity';

const LOOK_SECONDS = 10;

/** How often a host says that it is there: not by a job, which may have to wait for others. */
const SEEN_MS = 5_000;

const HOST_AWAY = 'The host of the sandbox does not answer.';

/** The driver whose processes end with the service: who only tries it out has nothing left running. */
const ENDS_WITH_SERVICE = 'embedded';

/**
 * What the coming and going of a host means for its sandboxes. Those of the `process` driver run on while
 * the service restarts, and so do all when it is killed; they are found again by their processes.
 */
@Injectable()
export class HostPresence implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Sandboxes');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    handlers: JobHandlers,
    @InjectDataSource() private readonly database: DataSource,
    private readonly hosts: Hosts,
    private readonly drivers: SandboxDrivers,
    private readonly store: SandboxStore,
    private readonly desired: SandboxDesiredState,
    private readonly keys: SandboxKeys,
    private readonly clock: Clock,
  ) {
    handlers.every('sandbox-hosts', LOOK_SECONDS, () => this.giveUpOnAwayHosts());
  }

  /** Before anybody can take this host for away. */
  async onModuleInit(): Promise<void> {
    if (!this.hosts.works) return;
    await this.hosts.seen();
    this.timer = setInterval(() => void this.sayPresent(), SEEN_MS).unref();
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.hosts.works) return;
    if (this.drivers.current.isHostBound)
      for (const driver of this.drivers.ofThisHost)
        if (driver.name === this.drivers.current.name) await driver.prepare();
    await this.returned();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (!this.hosts.works) return;
    const ending = await this.ofThisHost(
      `driver = '${ENDS_WITH_SERVICE}' AND status IN ('STARTING', 'RUNNING')`,
    );
    await Promise.all(ending.map((sandbox) => this.endWithService(sandbox)));
  }

  private async sayPresent(): Promise<void> {
    await this.hosts
      .seen()
      .catch((error: unknown) => this.log.warn(`This host could not say that it is there: ${String(error)}`));
  }

  private async endWithService(sandbox: Sandbox): Promise<void> {
    try {
      await this.store.change(sandbox.id, (now) =>
        now.stopping === null && (now.status === 'RUNNING' || now.status === 'STARTING')
          ? { set: { status: 'PAUSED', statusDetail: 'Paused with the service.', resumesWithHost: true } }
          : null,
      );
      await this.drivers.ofThisHost.find(({ name }) => name === sandbox.driver)?.endNow(sandbox.id);
    } catch (error) {
      this.log.warn(`Sandbox ${sandbox.id} may have been left running: ${String(error)}`);
    }
  }

  /** Takes up what was paused with the service, and what was given up while this host was away. */
  private async returned(): Promise<void> {
    for (const { id } of await this.ofThisHost('resumes_with_host'))
      await this.store.change(id, (now) =>
        now.status === 'PAUSED' && now.resumesWithHost ? this.desired.started() : null,
      );
    for (const sandbox of await this.ofThisHost(`status = 'ERROR' AND status_detail = '${HOST_AWAY}'`)) {
      const driver = this.drivers.named(sandbox.driver);
      if ((await driver.describe(this.keys.driven(sandbox))) !== 'running') continue;
      await this.store.change(sandbox.id, (now) =>
        now.status === 'ERROR'
          ? { ...this.desired.started(), set: { ...this.desired.started().set, launched: true } }
          : null,
      );
    }
  }

  private async giveUpOnAwayHosts(): Promise<void> {
    const lost = await this.database.query<{ id: string }[]>(
      `SELECT s.id FROM sandboxes s LEFT JOIN sandbox_hosts h ON h.id = s.host_id
       WHERE s.host_id IS NOT NULL AND (s.status IN ('STARTING', 'RUNNING') OR s.stopping IS NOT NULL)
         AND (h.seen_at IS NULL OR h.seen_at < now() - $1 * interval '1 s')`,
      [HOST_AWAY_SECONDS],
    );
    for (const { id } of lost)
      await this.store.change(id, ({ status, stopping, deadlineAt }) => {
        if (status === 'MISSING') return null;
        // What is to be deleted waits for its host as long as anything may.
        if (stopping === 'delete' && deadlineAt !== null && deadlineAt > this.clock.now()) return null;
        const isDeleted = stopping === 'delete';
        return {
          leftover: isDeleted,
          set: {
            status: isDeleted ? 'MISSING' : 'ERROR',
            statusDetail: HOST_AWAY,
            stopping: null,
            deadlineAt: null,
          },
        };
      });
  }

  private ofThisHost(condition: string): Promise<Sandbox[]> {
    return this.database.manager
      .createQueryBuilder(Sandbox, 'sandbox')
      .where('sandbox.hostId = :host', { host: this.hosts.own })
      .andWhere(condition)
      .getMany();
  }
}
