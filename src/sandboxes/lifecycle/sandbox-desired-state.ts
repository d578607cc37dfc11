import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, newId } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { JobQueue } from '../../jobs';
import { SandboxCapacity } from '../record/sandbox-capacity';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { ExternalOrganization } from '../access/external-organization';
import { Hosts } from '../hosts/hosts';
import { SandboxLifecycle } from '../record/sandbox.ports';
import { reconcileJob } from '../record/sandbox-jobs';
import { SandboxKeys } from '../record/sandbox-keys';
import { type Decision, SandboxStore } from '../record/sandbox-store';
import { Sandbox } from '../record/sandbox.entity';
import { DriverNotAvailableError } from '../record/sandboxes.errors';

/** How long pausing and deleting may take before they count as failed. */
const STOP_SECONDS = 60;

/** Uses of one sandbox within this time are noted once. */
const TOUCH_EVERY_MS = 10_000;
const MAX_TOUCHED = 10_000;

/** Says what sandboxes should be; jobs bring them there. */
@Injectable()
export class SandboxDesiredState extends SandboxLifecycle {
  private readonly touched = new Map<string, number>();
  private readonly log = new Logger('Sandboxes');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: SandboxStore,
    private readonly jobs: JobQueue,
    private readonly drivers: SandboxDrivers,
    private readonly capacity: SandboxCapacity,
    private readonly hosts: Hosts,
    private readonly keys: SandboxKeys,
    private readonly external: ExternalOrganization,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** @throws ConcurrencyLimitReachedError, DriverNotAvailableError, SandboxDriverUnavailableError */
  async create(transaction: EntityManager, owner: { orgId: string; userId: string }): Promise<string> {
    const driver = this.drivers.current;
    if (driver.name === 'external' && !(await this.external.serves(transaction, owner.orgId)))
      throw new DriverNotAvailableError();
    await this.capacity.reserve(transaction, owner.orgId);
    const hostId = driver.isHostBound ? await this.hosts.choose(transaction) : null;
    const id = newId();
    const now = this.clock.now();
    await transaction.insert(Sandbox, {
      id,
      orgId: owner.orgId,
      createdByUserId: owner.userId,
      driver: driver.name,
      hostId,
      status: 'STARTING',
      lastActivityAt: now,
      deadlineAt: this.after(this.settings.SANDBOX_START_SECONDS),
      createdAt: now,
      ...(driver.givesKeys ? this.keys.create(id) : {}),
    });
    await this.jobs.add(transaction, reconcileJob({ id, hostId }));
    return id;
  }

  /** @throws ConcurrencyLimitReachedError */
  async resume(transaction: EntityManager, id: string): Promise<void> {
    const found = await transaction.findOneBy(Sandbox, { id });
    if (found === null || !isResumable(found)) return;
    await this.capacity.reserve(transaction, found.orgId);
    await this.store.change(id, (sandbox) => (isResumable(sandbox) ? this.started() : null), transaction);
  }

  /** Pauses what runs or starts; nothing happens to others. */
  async pause(transaction: EntityManager, id: string): Promise<void> {
    await this.store.change(id, (sandbox) => this.paused(sandbox), transaction);
  }

  async hold(transaction: EntityManager, ids: readonly string[]): Promise<void> {
    await transaction.query('SELECT 1 FROM sandboxes WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids]);
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.store.change(
      id,
      ({ status, stopping }) =>
        status === 'MISSING' || stopping === 'delete'
          ? null
          : {
              set: {
                status: 'PAUSED',
                stopping: 'delete',
                launched: false,
                deadlineAt: this.after(STOP_SECONDS),
              },
              drive: true,
            },
      transaction,
    );
  }

  touch(id: string): void {
    const now = this.clock.monotonicMs();
    const last = this.touched.get(id);
    if (last !== undefined && now - last < TOUCH_EVERY_MS) return;
    if (this.touched.size >= MAX_TOUCHED) this.touched.clear();
    this.touched.set(id, now);
    this.database
      .query('UPDATE sandboxes SET last_activity_at = now() WHERE id = $1', [id])
      .catch((error: unknown) => this.log.warn(`A use of sandbox ${id} was not noted: ${String(error)}`));
  }

  /** What a start, or another, writes. */
  started(): NonNullable<Decision> {
    return {
      set: {
        status: 'STARTING',
        stopping: null,
        statusDetail: null,
        launched: false,
        resumesWithHost: false,
        unansweredSince: null,
        deadlineAt: this.after(this.settings.SANDBOX_START_SECONDS),
      },
      drive: true,
    };
  }

  /** What a pause writes; null for sandboxes that neither run nor start. */
  paused({ status, stopping }: Sandbox): Decision {
    if (stopping !== null || (status !== 'RUNNING' && status !== 'STARTING')) return null;
    return {
      set: { status: 'PAUSED', stopping: 'pause', launched: false, deadlineAt: this.after(STOP_SECONDS) },
      drive: true,
    };
  }

  private after(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }
}

/** True for a sandbox that rests, or is about to, and can be started again. */
export function isResumable({ status, stopping }: Sandbox): boolean {
  return stopping !== 'delete' && (status === 'PAUSED' || status === 'ERROR');
}
