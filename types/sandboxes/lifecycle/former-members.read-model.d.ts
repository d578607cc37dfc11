import { Repository } from 'typeorm';
import { Sandbox } from '../record/sandbox.entity';
/** Reads sandboxes beside `org_members`, named by hand because its entity belongs to another module. */
export declare class FormerMembers {
    private readonly sandboxes;
    constructor(sandboxes: Repository<Sandbox>);
    /** The sandboxes of a user in an organization that run or start, unless the user is a member there. */
    activeSandboxes(orgId: string, userId: string): Promise<Sandbox[]>;
}
