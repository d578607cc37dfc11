import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Raw, Repository } from 'typeorm';
import { messageOf } from '../../../kernel/common';
import { hostBound, JobHandlers } from '../../../kernel/jobs';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { Installation } from '../record/installation/installation';
import type { SandboxDriver } from '../../driver-port';
import { SandboxLeftover } from '../record/sandbox-leftover.entity';
import { Sandbox } from '../record/sandbox.entity';

const ROUND_SECONDS = 10;

/** Removes what is left of sandboxes whose deletion was given up, or that nobody knows any more. */
@Injectable()
export class LeftoverCleanup implements OnModuleInit {
  private readonly log = new Logger('Sandboxes');

  constructor(
    private readonly handlers: JobHandlers,
    private readonly hosts: Hosts,
    @InjectRepository(SandboxLeftover) private readonly leftovers: Repository<SandboxLeftover>,
    private readonly drivers: SandboxDrivers,
    private readonly installation: Installation,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const hostId of await this.hosts.workedFor())
      this.handlers.every(hostBound('sandbox-leftovers', hostId), ROUND_SECONDS, () =>
        this.removeAll(hostId),
      );
    const { current } = this.drivers;
    if (!current.capabilities.hostBound && current.ids !== undefined)
      this.handlers.every('sandbox-leftovers', ROUND_SECONDS, () => this.removeUnknown(current));
  }

  private async removeAll(hostId: string): Promise<void> {
    for (const leftover of await this.leftovers.findBy({ hostId })) await this.removeLeftover(leftover);
    const driver = await this.hosts.driverOf(hostId);
    if (driver !== undefined) await this.removeUnknown(driver);
  }

  /** That of a driver that is not there stays for its return. */
  private async removeLeftover({ sandboxId, driver: name }: SandboxLeftover): Promise<void> {
    const driver = this.drivers.find(name);
    const isGone = driver !== undefined && (await this.remove(driver, sandboxId));
    if (isGone) await this.leftovers.delete({ sandboxId });
  }

  /** A sandbox is recorded before its driver is called: one without a record has been deleted. */
  private async removeUnknown(driver: SandboxDriver): Promise<void> {
    const found = (await driver.ids?.(await this.installation.id())) ?? [];
    if (found.length === 0) return;
    const records = await this.leftovers.manager.find(Sandbox, {
      select: { id: true },
      // As one parameter: there may be more than a statement can have.
      where: { id: Raw((id) => `${id} = ANY(:found)`, { found }), status: Not('MISSING') },
    });
    const known = new Set(records.map(({ id }) => id));
    for (const id of found) if (!known.has(id)) await this.remove(driver, id);
  }

  private async remove(driver: SandboxDriver, id: string): Promise<boolean> {
    try {
      const installationId = await this.installation.id();
      await driver.delete({ id, orgId: null, sessionKey: '', port: null, installationId });
      return true;
    } catch (error) {
      this.log.warn(`What is left of sandbox ${id} could not be removed: ${messageOf(error)}`);
      return false;
    }
  }
}
