import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { SandboxDriverUnavailableError } from '../record/sandboxes.errors';

/** Injection token of this host's id. */
export const HOST_ID = Symbol('host id');

/** A host that was not seen for this long is away. */
export const HOST_AWAY_SECONDS = 30;

/** Knows which hosts run sandboxes now. */
@Injectable()
export class Hosts {
  constructor(
    @Inject(HOST_ID) readonly own: string,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  /** Whether this process takes the jobs of its host. */
  get works(): boolean {
    return this.settings.APP_ROLE !== 'api';
  }

  /** Notes that this host is there. */
  async seen(): Promise<void> {
    await this.database.query(
      `INSERT INTO sandbox_hosts (id, seen_at) VALUES ($1, now())
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [this.own],
    );
  }

  /** @throws SandboxDriverUnavailableError when the host of a sandbox is away */
  async assertPresent(hostId: string): Promise<void> {
    if (hostId === this.own && this.works) return;
    if (!(await this.present(this.database.manager)).includes(hostId))
      throw new SandboxDriverUnavailableError();
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

  private async present(manager: EntityManager): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      `SELECT h.id FROM sandbox_hosts h
       LEFT JOIN sandboxes s ON s.host_id = h.id AND (s.status IN ('STARTING', 'RUNNING') OR s.stopping IS NOT NULL)
       WHERE h.seen_at > now() - $1 * interval '1 s'
       GROUP BY h.id ORDER BY count(s.id), h.id`,
      [HOST_AWAY_SECONDS],
    );
    return rows.map(({ id }) => id);
  }
}
