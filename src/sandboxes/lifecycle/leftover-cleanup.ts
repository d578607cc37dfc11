import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { hostBound, JobHandlers } from '../../jobs';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { SandboxLeftover } from '../record/sandbox-leftover.entity';

const LEFTOVERS_SECONDS = 10;

/** Removes from this host what it still holds of sandboxes whose deletion was given up. */
@Injectable()
export class LeftoverCleanup {
  constructor(
    handlers: JobHandlers,
    hosts: Hosts,
    @InjectDataSource() private readonly database: DataSource,
    private readonly drivers: SandboxDrivers,
  ) {
    handlers.every(hostBound('sandbox-leftovers', hosts.own), LEFTOVERS_SECONDS, () =>
      this.remove(hosts.own),
    );
  }

  private async remove(hostId: string): Promise<void> {
    const leftovers = await this.database.manager.findBy(SandboxLeftover, { hostId });
    for (const { sandboxId, driver } of leftovers) {
      await this.drivers.named(driver).delete({ id: sandboxId, sessionKey: '', port: null });
      await this.database.manager.delete(SandboxLeftover, { sandboxId });
    }
  }
}
