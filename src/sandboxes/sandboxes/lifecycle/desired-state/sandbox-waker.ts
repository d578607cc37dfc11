import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { SandboxCapacity } from '../../record/sandbox-capacity';
import type { CapacityInUse } from '../../record/sandbox-capacity.query';
import { type Decision, SandboxStore } from '../../record/sandbox-store';
import { Sandbox } from '../../record/sandbox.entity';
import type { SandboxStatus } from '../../record/sandbox-view';
import { SandboxAvailability } from './sandbox-availability';
import { SandboxLifecycle } from './sandbox-lifecycle';
import { isActive, isPaused } from './transitions';

/** Starts paused sandboxes for what is to happen in them (docs/contract.md#waking-a-sandbox). */
@Injectable()
export class SandboxWaker {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly availability: SandboxAvailability,
    private readonly capacity: SandboxCapacity,
    private readonly store: SandboxStore,
    private readonly desired: SandboxLifecycle,
  ) {}

  /**
   * Starts a sandbox that is paused, or being paused, and does something in the same transaction, at the end of which
   * it starts or runs and counts as used just now; whoever pauses it comes before or after both.
   * @param work gets the status that the sandbox has with it
   * @returns what the work returned; null for one that failed, is being deleted or is gone, and nothing is done
   * @throws ConcurrencyLimitReachedError, SandboxDriverUnavailableError, and whatever the work throws; the sandbox then
   *   stays as it was
   */
  async wake<Result>(
    id: string,
    work: (transaction: EntityManager, status: SandboxStatus) => Promise<Result>,
  ): Promise<Result | null> {
    const found = await this.sandboxes.findOneBy({ id });
    if (found === null) return null;
    if (isPaused(found)) await this.availability.assertStartable(found);
    return this.sandboxes.manager.transaction(async (transaction) => {
      // Before the row, which may be paused only when it is locked: the order of locks.
      const inUse = await this.capacity.inUse(transaction, found.orgId, id);
      const awake = await this.store.change(
        id,
        (sandbox, now) => this.awake(sandbox, now, inUse),
        transaction,
      );
      return awake === null ? null : work(transaction, awake.sandbox.status);
    });
  }

  private awake(sandbox: Sandbox, now: Date, inUse: CapacityInUse): Decision {
    if (isActive(sandbox)) return { set: { lastActivityAt: now } };
    if (!isPaused(sandbox)) return null;
    this.capacity.assertFree(inUse);
    return this.desired.started(now);
  }
}
