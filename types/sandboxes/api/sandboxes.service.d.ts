import { Repository } from 'typeorm';
import { type Caller, type OrgContext, OrgResolution, type SandboxCaller } from '../../auth';
import { type Page } from '../../common';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Hosts } from '../hosts/hosts';
import { SandboxViews } from '../access/sandbox-views';
import { SandboxAvailability } from '../lifecycle/desired-state/sandbox-availability';
import { SandboxDesiredState } from '../lifecycle/desired-state/sandbox-desired-state';
import { Sandbox } from '../record/sandbox.entity';
import type { SandboxInfo, SandboxSpecInfo, SandboxSpecPage } from './sandboxes.dto';
/** What callers do with their own sandboxes (docs/contract.md#sandboxes). */
export declare class SandboxesService {
    private readonly sandboxes;
    private readonly organizations;
    private readonly desired;
    private readonly views;
    private readonly drivers;
    private readonly hosts;
    private readonly availability;
    constructor(sandboxes: Repository<Sandbox>, organizations: OrgResolution, desired: SandboxDesiredState, views: SandboxViews, drivers: SandboxDrivers, hosts: Hosts, availability: SandboxAvailability);
    /** @throws SandboxSpecNotFoundError, ConcurrencyLimitReachedError, DriverNotAvailableError */
    create(caller: Caller, org: OrgContext, specId: string | undefined): Promise<SandboxInfo>;
    /** @returns one entry for each id, null where it is unknown or not the caller's */
    get(caller: Caller, ids: readonly string[]): Promise<(SandboxInfo | null)[]>;
    /** The caller's sandboxes in the organization, newest first. */
    search(caller: Caller, org: OrgContext, query: {
        page_id?: string;
        limit: number;
    }): Promise<Page<SandboxInfo>>;
    /** @throws SandboxNotFoundError, SandboxNotResumableError, ConcurrencyLimitReachedError, SandboxDriverUnavailableError */
    resume(caller: Caller, id: string): Promise<void>;
    /** @throws SandboxNotFoundError, SandboxNotPausableError, SandboxDriverUnavailableError */
    pause(caller: Caller, id: string): Promise<void>;
    /** @throws SandboxNotFoundError */
    delete(caller: Caller, id: string): Promise<void>;
    /** What kinds of sandboxes this installation offers. */
    specs(limit: number): SandboxSpecPage;
    /** @returns one entry for each id, null where there is no such kind */
    specsOf(ids: readonly string[]): (SandboxSpecInfo | null)[];
    /**
     * The sandbox that an agent server names.
     * @throws SandboxNotFoundError when the key of the call is not that of the sandbox
     */
    speaksFor(caller: SandboxCaller, text: string): Promise<Pick<Sandbox, 'id' | 'createdByUserId' | 'orgId'>>;
    /** A sandbox of the caller's. @throws SandboxNotFoundError also for one that is gone */
    require(caller: Caller, id: string): Promise<Sandbox>;
    private spec;
    /**
     * Only the creator, while a member of its organization, has a sandbox (docs/contract.md#own-conversations).
     */
    private find;
    private info;
}
