import { Repository } from 'typeorm';
import { Sandbox } from '../record/sandbox.entity';
/** Reads sandboxes by the host they live on. */
export declare class HostSandboxes {
    private readonly sandboxes;
    constructor(sandboxes: Repository<Sandbox>);
    /** Those of some drivers that run or start. */
    activeOf(hostId: string, drivers: readonly string[]): Promise<Sandbox[]>;
    /** Those of which it is not recorded whose listener they have, as earlier versions left them. */
    withoutListenerUid(hostId: string): Promise<Sandbox[]>;
    /** Those that were paused because the service stopped. */
    pausedWith(hostId: string): Promise<Sandbox[]>;
    /** Those in ERROR with this detail. */
    failedOf(hostId: string, statusDetail: string): Promise<Sandbox[]>;
    /** Those that run, start or stop on a host that was not seen for too long. */
    idsOfAwayHosts(): Promise<string[]>;
}
