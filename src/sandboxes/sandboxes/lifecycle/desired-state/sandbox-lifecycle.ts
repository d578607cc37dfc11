import { Inject, Injectable, Logger } from '@nestjs/common';
import { type EntityManager, Repository } from 'typeorm';
import { newId, type Person, Clock } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { KeptLogs } from '../../record/kept-logs/kept-logs';
import { SandboxCapacity } from '../../record/sandbox-capacity';
import { SandboxKeys } from '../../record/sandbox-keys';
import { type Decision, SandboxStore } from '../../record/sandbox-store';
import { Sandbox } from '../../record/sandbox.entity';
import { adopt, isResumable, pause, remove, start } from './transitions';
import { ExternalOrganization } from '../../access/external-organization.read-model';
import type { SandboxDriver } from '../../../driver-port';
import { SandboxDrivers } from '../../record/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import { DriverNotAvailableError } from '../../record/sandboxes.errors';
import { InjectRepository } from '@nestjs/typeorm';

/** Uses of one sandbox within this time are recorded once; where sandboxes are paused sooner, within a quarter of theirs. */
const RECORD_EVERY_MS = 10_000;
const MAX_RECENT = 10_000;

/** Records when sandboxes were last used. */
@Injectable()
export class SandboxActivity {
  private readonly recordedAtMs = new Map<string, number>();
  private readonly log = new Logger('Sandboxes');
  private readonly recordEveryMs: number;

  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly clock: Clock,
    @Inject(SETTINGS) { SANDBOX_IDLE_SECONDS }: Settings,
  ) {
    this.recordEveryMs = Math.min(RECORD_EVERY_MS, SANDBOX_IDLE_SECONDS * 250);
  }

  /** Records a use of a sandbox, in the background. Never throws. */
  touch(id: string): void {
    const nowMs = this.clock.monotonicMs();
    const lastMs = this.recordedAtMs.get(id);
    if (lastMs !== undefined && nowMs - lastMs < this.recordEveryMs) return;
    if (this.recordedAtMs.size >= MAX_RECENT) this.recordedAtMs.clear();
    this.recordedAtMs.set(id, nowMs);
    this.sandboxes
      .update({ id }, { lastActivityAt: () => 'now()' })
      .catch((error: unknown) =>
        this.log.warn(`Could not record activity of sandbox ${id}: ${String(error)}`),
      );
  }
}

/** Decides what runs a new sandbox, and where. */
@Injectable()
export class SandboxPlacement {
  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly hosts: Hosts,
    private readonly external: ExternalOrganization,
  ) {}

  /**
   * The driver of a new sandbox.
   * @throws DriverNotAvailableError when it does not serve the organization
   */
  async chooseDriver(transaction: EntityManager, orgId: string): Promise<SandboxDriver> {
    const driver = this.drivers.current;
    if (driver.capabilities.singleOrganization && !(await this.external.serves(transaction, orgId)))
      throw new DriverNotAvailableError();
    return driver;
  }

  /**
   * The host of a new sandbox; null where any worker may run it.
   * @throws SandboxDriverUnavailableError when no host is there
   */
  async chooseHost(transaction: EntityManager, driver: SandboxDriver): Promise<string | null> {
    return driver.capabilities.hostBound ? this.hosts.choose(transaction, driver) : null;
  }
}

/** Writes the desired state of sandboxes; the reconciler brings them there. */
@Injectable()
export class SandboxLifecycle {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly store: SandboxStore,
    private readonly capacity: SandboxCapacity,
    private readonly placement: SandboxPlacement,
    private readonly keys: SandboxKeys,
    private readonly activity: SandboxActivity,
    private readonly logs: KeptLogs,
  ) {}

  /**
   * Makes a sandbox in the caller's transaction; it starts once that commits.
   * @throws ConcurrencyLimitReachedError (429) at the caps (docs/contract.md#sandbox-caps), DriverNotAvailableError,
   *   SandboxDriverUnavailableError
   * @returns its id
   */
  async create(transaction: EntityManager, owner: Person): Promise<string> {
    const driver = await this.placement.chooseDriver(transaction, owner.orgId);
    await this.capacity.reserve(transaction, owner.orgId);
    const id = newId();
    const sandbox = {
      id,
      orgId: owner.orgId,
      createdByUserId: owner.userId,
      byLink: owner.byLink,
      driver: driver.name,
      hostId: await this.placement.chooseHost(transaction, driver),
      ...(driver.capabilities.sharedServer ? {} : this.keys.create(id)),
    };
    await this.store.insert(transaction, sandbox, this.settings.SANDBOX_START_SECONDS);
    return id;
  }

  /**
   * Starts a paused or failed sandbox again, once the transaction commits; nothing happens to others.
   * @throws ConcurrencyLimitReachedError
   */
  async resume(transaction: EntityManager, id: string): Promise<void> {
    const found = await transaction.findOneBy(Sandbox, { id });
    if (found === null || !isResumable(found)) return;
    await this.capacity.reserve(transaction, found.orgId, id);
    await this.store.change(
      id,
      (sandbox, now) => (isResumable(sandbox) ? this.started(now) : null),
      transaction,
    );
  }

  /** Pauses what runs or starts; nothing happens to others. */
  async pause(transaction: EntityManager, id: string): Promise<void> {
    await this.store.change(id, pause, transaction);
  }

  /**
   * Keeps sandboxes as they are until the transaction ends: called before it locks anything of the conversations in
   * them, so that it waits for a change of the sandbox and no change waits for it half-way.
   */
  lock(transaction: EntityManager, ids: readonly string[]): Promise<void> {
    return this.store.lock(transaction, ids);
  }

  /** Deletes a sandbox once the transaction commits. */
  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.store.change(id, remove, transaction);
  }

  /** As {@link delete}, of a sandbox that failed at what it was made for: its log can be read for a while. */
  async giveBack(transaction: EntityManager, id: string): Promise<void> {
    const removed = await this.store.change(id, remove, transaction);
    if (removed !== null) await this.logs.keep(transaction, removed.sandbox);
  }

  /** Records that a sandbox was used now, so that it does not count as idle. Cheap; never throws. */
  touch(id: string): void {
    this.activity.touch(id);
  }

  /** The columns that a start writes. */
  started(now: Date): Decision {
    return start(now, this.settings.SANDBOX_START_SECONDS);
  }

  /** As {@link started}, of a sandbox whose agent server runs already. */
  adopted(now: Date): Decision {
    return adopt(now, this.settings.SANDBOX_START_SECONDS);
  }
}
