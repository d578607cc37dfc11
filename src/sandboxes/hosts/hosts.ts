import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxDriverUnavailableError } from '../record/sandboxes.errors';
import { SandboxHost } from './sandbox-host.entity';

/** Injection token of this host's id. */
export const HOST_ID = Symbol('host id');

/** A host that was not seen for this long is away. */
export const HOST_AWAY_SECONDS = 30;

/** The hosts that run sandboxes, by their heartbeats. */
@Injectable()
export class Hosts {
  constructor(
    @Inject(HOST_ID) readonly own: string,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectRepository(SandboxHost) private readonly hosts: Repository<SandboxHost>,
  ) {}

  /** Whether this process takes the jobs of its host. */
  get works(): boolean {
    return this.settings.APP_ROLE !== 'api';
  }

  /** Records that this host is there. */
  async recordHeartbeat(): Promise<void> {
    await this.hosts.upsert({ id: this.own, seenAt: () => 'now()' }, ['id']);
  }

  /** @throws SandboxDriverUnavailableError when the host of a sandbox is away */
  async assertPresent(hostId: string): Promise<void> {
    if (hostId === this.own && this.works) return;
    if (!(await this.present(this.hosts.manager)).includes(hostId)) throw new SandboxDriverUnavailableError();
  }

  /**
   * Where a new sandbox goes: here, or from a replica without a worker, to the host with the fewest.
   * @param transaction the one in which it is made
   * @throws SandboxDriverUnavailableError when no host is there
   */
  async choose(transaction: EntityManager): Promise<string> {
    if (this.works) return this.own;
    const [host] = await this.present(transaction);
    if (host === undefined) throw new SandboxDriverUnavailableError();
    return host;
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
