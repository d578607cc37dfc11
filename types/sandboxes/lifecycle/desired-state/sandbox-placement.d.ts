import type { EntityManager } from 'typeorm';
import { ExternalOrganization } from '../../access/external-organization.read-model';
import type { SandboxDriver } from '../../record/sandbox-driver';
import { SandboxDrivers } from '../../drivers/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
/** Decides what runs a new sandbox, and where. */
export declare class SandboxPlacement {
    private readonly drivers;
    private readonly hosts;
    private readonly external;
    constructor(drivers: SandboxDrivers, hosts: Hosts, external: ExternalOrganization);
    /**
     * The driver of a new sandbox.
     * @throws DriverNotAvailableError when it does not serve the organization
     */
    chooseDriver(transaction: EntityManager, orgId: string): Promise<SandboxDriver>;
    /**
     * The host of a new sandbox; null where any worker may run it.
     * @throws SandboxDriverUnavailableError when no host is there
     */
    chooseHost(transaction: EntityManager, driver: SandboxDriver): Promise<string | null>;
}
