import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExternalOrganization } from '../../access/external-organization.read-model';
import type { SandboxDriver } from '../../../driver-port';
import { SandboxDrivers } from '../../record/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import { DriverNotAvailableError } from '../../record/sandboxes.errors';

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
