import { PersonalModels } from '../../agent-settings';
import { type Caller, type OrgContext, PermissionTable } from '../../auth';
import { SandboxProof } from '../../sandboxes';
import type { CurrentUser } from './current-user.dto';
/** Describes the caller of a request. */
export declare class CurrentUserService {
    private readonly models;
    private readonly sandboxes;
    private readonly permissions;
    constructor(models: PersonalModels, sandboxes: SandboxProof, permissions: PermissionTable);
    /**
     * The caller, what they may do in the organization, and what its conversations run on.
     * @param exposure asks for the keys of models that they keep, with the key of a sandbox; null for none
     * @throws SandboxKeyRequiredError
     */
    describe(caller: Caller, org: OrgContext, exposure: {
        readonly sandboxKey: string | null;
    } | null): Promise<CurrentUser>;
}
