import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { type CapacityInUse, countCapacityInUse } from './sandbox-capacity.query';
import { SandboxDrivers } from './sandbox-drivers';
import { ConcurrencyLimitReachedError } from './sandboxes.errors';

/** What stopping takes, about. */
const STOPPING_SECONDS = 5;

/** The caps on sandboxes that run, start or are still stopping (docs/contract.md#sandbox-caps). */
@Injectable()
export class SandboxCapacity {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly drivers: SandboxDrivers,
  ) {}

  /**
   * Makes sure that one more may run, until the transaction ends.
   * @param sandboxId the sandbox that is to run again; one that is still stopping counts already
   * @throws ConcurrencyLimitReachedError
   */
  async reserve(transaction: EntityManager, orgId: string, sandboxId: string | null = null): Promise<void> {
    this.assertFree(await this.inUse(transaction, orgId, sandboxId));
  }

  /** What counts towards the caps; nobody else reserves anything until the transaction ends. */
  inUse(transaction: EntityManager, orgId: string, sandboxId: string | null): Promise<CapacityInUse> {
    return countCapacityInUse(transaction, { orgId, exceptId: sandboxId, drivers: this.drivers.names() });
  }

  /** When the first of the sandboxes is at rest: at once where one is stopping, else when it has been idle for long enough. */
  private waitFor(idleSeconds: number | null): number {
    if (idleSeconds === null) return STOPPING_SECONDS;
    const left = Math.ceil(this.settings.SANDBOX_IDLE_SECONDS - idleSeconds);
    return Math.max(left, STOPPING_SECONDS);
  }

  /** @throws ConcurrencyLimitReachedError unless one more may run */
  assertFree(inUse: CapacityInUse): void {
    const { MAX_SANDBOXES, MAX_SANDBOXES_PER_ORG } = this.settings;
    if (inUse.of_org >= MAX_SANDBOXES_PER_ORG)
      throw new ConcurrencyLimitReachedError(
        MAX_SANDBOXES_PER_ORG,
        'organization',
        this.waitFor(inUse.next_of_org),
      );
    if (inUse.total >= MAX_SANDBOXES)
      throw new ConcurrencyLimitReachedError(MAX_SANDBOXES, 'installation', this.waitFor(inUse.next));
  }
}
