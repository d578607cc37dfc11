import { Repository } from 'typeorm';
import { type Settings } from '../../../config';
import type { SandboxAt } from '../../record/sandbox-store';
import { Sandbox } from '../../record/sandbox.entity';
/**
 * Reads the sandboxes that the health monitor inspects; whether a creator is a member comes from `org_members`, named
 * by hand because its entity belongs to another module.
 */
export declare class WatchedSandboxes {
    private readonly settings;
    private readonly sandboxes;
    constructor(settings: Settings, sandboxes: Repository<Sandbox>);
    /**
     * Those that run, start or stop, and those that failed because their server did not answer and may run
     * again by themselves. A sandbox that the reconciler has claimed is not among them.
     * @param hostId the host whose sandboxes these are; null for those of no host
     */
    of(hostId: string | null): Promise<SandboxAt[]>;
}
