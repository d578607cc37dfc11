import cluster from 'node:cluster';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Not, Repository } from 'typeorm';
import { messageOf } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { SandboxDrivers } from '../record/sandbox-drivers';
import type { SandboxDriver } from '../../driver-port';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxDriverUnavailableError } from '../record/sandboxes.errors';
import { SandboxHost } from './sandbox-host.entity';

/** Injection token of this host's id. */
export const HOST_ID = Symbol('host id');

/** A host that was not seen for this long is away. */
export const HOST_AWAY_SECONDS = 30;

/** Between a driver's name and what it shares with other hosts; no host's own id has it. */
const SHARED = ':';

/**
 * The hosts that run sandboxes, by their heartbeats. What several hosts share to run sandboxes on, such as a container
 * engine, counts as a host of its own, `<driver>:<id>`, for which all of them work.
 */
@Injectable()
export class Hosts {
  private readonly log = new Logger('Sandboxes');
  private finding: Promise<ReadonlyMap<string, SandboxDriver>> | undefined;

  constructor(
    @Inject(HOST_ID) readonly own: string,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectRepository(SandboxHost) private readonly hosts: Repository<SandboxHost>,
    private readonly drivers: SandboxDrivers,
  ) {}

  /**
   * The hosts for whose sandboxes this process works: its own, and those that it shares with others.
   * @throws StartError when it cannot be found out what the driver of new sandboxes shares
   */
  async workedFor(): Promise<string[]> {
    return [this.own, ...(await this.shared()).keys()];
  }

  /** Whether this process reaches the host of a sandbox. */
  async reaches(hostId: string | null): Promise<boolean> {
    return hostId === null || (await this.workedFor()).includes(hostId);
  }

  /** The driver whose sandboxes live on a host that is shared; undefined for one that is not. */
  async driverOf(hostId: string): Promise<SandboxDriver | undefined> {
    return (await this.shared()).get(hostId);
  }

  /** Whether this process takes the jobs of its host. */
  get works(): boolean {
    return this.settings.APP_ROLE !== 'api';
  }

  /** Records a heartbeat of this host, and of the available hosts that it shares. */
  async recordHeartbeat(): Promise<void> {
    await this.recordPresence(this.own);
    for (const [id, driver] of await this.shared())
      if (await driver.isAvailable()) await this.recordPresence(id);
  }

  /** @throws SandboxDriverUnavailableError when the host of a sandbox is away */
  async assertPresent(hostId: string): Promise<void> {
    if (hostId === this.own && this.works) return;
    if (!(await this.present(this.hosts.manager)).includes(hostId)) throw new SandboxDriverUnavailableError();
  }

  /**
   * Where a new sandbox of a driver goes: here, or from a replica without a worker, to the host with the fewest.
   * @param transaction the one in which it is made
   * @throws SandboxDriverUnavailableError when no host is there
   */
  async choose(transaction: EntityManager, driver: SandboxDriver): Promise<string> {
    const isShared = driver.sharedHost !== undefined;
    if (this.works && !isShared) return this.own;
    const isOf = (host: string): boolean =>
      isShared ? host.startsWith(driver.name + SHARED) : !host.includes(SHARED);
    const present = (await this.present(transaction)).filter(isOf);
    const worked = this.works ? await this.workedFor() : [];
    const [host] = [...present.filter((one) => worked.includes(one)), ...present];
    if (host === undefined) throw new SandboxDriverUnavailableError();
    return host;
  }

  private async recordPresence(id: string): Promise<void> {
    await this.hosts.upsert({ id, seenAt: () => 'now()' }, ['id']);
  }

  private shared(): Promise<ReadonlyMap<string, SandboxDriver>> {
    // Another process of the same command reaches what its host does (docs/scaling.md#all-cores-of-a-machine).
    const reaches = this.works || cluster.isWorker;
    this.finding ??= reaches ? this.findShared() : Promise.resolve(new Map());
    return this.finding;
  }

  /** A driver of older sandboxes may have lost its engine. */
  private async findShared(): Promise<ReadonlyMap<string, SandboxDriver>> {
    const found = new Map<string, SandboxDriver>();
    for (const driver of this.drivers.withSharedHost()) {
      const isCurrent = driver === this.drivers.current;
      if (
        !isCurrent &&
        !(await this.hosts.manager.existsBy(Sandbox, { driver: driver.name, status: Not('MISSING') }))
      )
        continue;
      try {
        found.set(`${driver.name}${SHARED}${await driver.sharedHost()}`, driver);
      } catch (error) {
        if (isCurrent) throw error;
        this.log.warn(`Sandboxes of ${driver.name} cannot be run: ${messageOf(error)}`);
      }
    }
    return found;
  }

  /** The hosts that are there, those with the fewest sandboxes first. */
  private async present(manager: EntityManager): Promise<string[]> {
    const rows = await manager
      .createQueryBuilder(SandboxHost, 'host')
      .select('host.id', 'id')
      .addSelect('count(sandbox.id)', 'sandboxes')
      .leftJoin(
        Sandbox,
        'sandbox',
        `sandbox.hostId = host.id AND (sandbox.status IN ('STARTING', 'RUNNING') OR sandbox.stopping IS NOT NULL)`,
      )
      .where(`host.seenAt > now() - :away * interval '1 second'`, { away: HOST_AWAY_SECONDS })
      .groupBy('host.id')
      .orderBy('sandboxes')
      .addOrderBy('host.id')
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }
}
