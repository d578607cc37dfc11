import { Injectable } from '@nestjs/common';
import { SandboxDrivers } from '../../record/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import type { Sandbox } from '../../record/sandbox.entity';
import { SandboxDriverUnavailableError } from '../../record/sandboxes.errors';

/** Whether the driver and host of a sandbox are available to start it. */
@Injectable()
export class SandboxAvailability {
  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly hosts: Hosts,
  ) {}

  /** Asserts that the host of a sandbox is there, where it has one. @throws SandboxDriverUnavailableError */
  async assertHostPresent({ hostId }: Pick<Sandbox, 'hostId'>): Promise<void> {
    if (hostId !== null) await this.hosts.assertPresent(hostId);
  }

  /** @throws SandboxDriverUnavailableError */
  async assertStartable({ hostId, driver }: Pick<Sandbox, 'hostId' | 'driver'>): Promise<void> {
    if (hostId !== null) return this.assertHostPresent({ hostId });
    if ((await this.drivers.find(driver)?.isAvailable()) !== true) throw new SandboxDriverUnavailableError();
  }
}
