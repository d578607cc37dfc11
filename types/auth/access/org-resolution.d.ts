import { AuthCaches } from '../credentials/auth-caches';
import type { Role } from '../identity/permissions';
import { MembershipReader } from '../identity/ports';
import type { Caller, OrgContext } from '../identity/principal';
/** What of a caller decides whether they may reach into the organization of a resource. */
export type ResourceCaller = Pick<Caller, 'userId' | 'boundOrgId' | 'selectedOrgId'>;
/** Decides which organization a request acts in and as what (docs/contract.md#effective-organization). */
export declare class OrgResolution {
    private readonly members;
    private readonly caches;
    constructor(members: MembershipReader, caches: AuthCaches);
    /**
     * Reads `X-Org-Id`.
     * @returns the id it selects, or null when the header is absent or empty
     * @throws InvalidSelectorError
     */
    selector(header: string | undefined): string | null;
    /** The organization of a path with `{org_id}`; `X-Org-Id` is a guard only. */
    ofPath(caller: Caller, orgId: string, unknownOrgStatus: 400 | 403): Promise<OrgContext>;
    /**
     * The effective organization: the key's, the selected one, the current one, in this order.
     * @param queried what `org_id` in the query selects, where the route has it
     */
    effective(caller: Caller, queried: string | null): Promise<OrgContext>;
    /**
     * The caller's role in the organization of a resource the path names, or null when the request may not
     * reach into that organization at all; the resource then counts as unknown.
     */
    ofResource(caller: ResourceCaller, orgId: string): Promise<Role | null>;
    private roleOf;
}
