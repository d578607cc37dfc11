import { SandboxDrivers } from '../../drivers/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import type { Sandbox } from '../../record/sandbox.entity';
/** Whether what runs a sandbox is there to start it. */
export declare class SandboxAvailability {
    private readonly drivers;
    private readonly hosts;
    constructor(drivers: SandboxDrivers, hosts: Hosts);
    /** @throws SandboxDriverUnavailableError */
    assertStartable({ hostId, driver }: Pick<Sandbox, 'hostId' | 'driver'>): Promise<void>;
}
