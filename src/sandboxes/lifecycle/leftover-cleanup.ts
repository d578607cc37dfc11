import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { hostBound, JobHandlers } from '../../jobs';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { SandboxLeftover } from '../record/sandbox-leftover.entity';

const ROUND_SECONDS = 10;

/** Removes from this host what is left on it of sandboxes whose deletion was given up. */
@Injectable()
export class LeftoverCleanup {
  private readonly log = new Logger('Sandboxes');

  constructor(
    handlers: JobHandlers,
    hosts: Hosts,
    @InjectRepository(SandboxLeftover) private readonly leftovers: Repository<SandboxLeftover>,
    private readonly drivers: SandboxDrivers,
  ) {
    handlers.every(hostBound('sandbox-leftovers', hosts.own), ROUND_SECONDS, () => this.removeAll(hosts.own));
  }

  private async removeAll(hostId: string): Promise<void> {
    for (const leftover of await this.leftovers.findBy({ hostId }))
      await this.remove(leftover).catch((error: unknown) => {
        this.log.warn(`What is left of sandbox ${leftover.sandboxId} could not be removed: ${String(error)}`);
      });
  }

  private async remove({ sandboxId, driver }: SandboxLeftover): Promise<void> {
    await this.drivers.named(driver).delete({ id: sandboxId, sessionKey: '', port: null });
    await this.leftovers.delete({ sandboxId });
  }
}
