import { type Caller, type OrgContext } from '../../auth';
import { MemberPath, MemberRemoved, MemberUpdate, OrgMemberPage, OrgMemberResponse, OwnMembership } from './members.dto';
import { MembersService } from './members.service';
import { OrgPath, PageQuery } from '../organizations/organizations.dto';
export declare class MembersController {
    private readonly members;
    constructor(members: MembersService);
    getOwnMembership(_path: OrgPath, caller: Caller, org: OrgContext): Promise<OwnMembership>;
    listOrgMembers(_path: OrgPath, org: OrgContext, query: PageQuery): Promise<OrgMemberPage>;
    changeMemberRole(path: MemberPath, caller: Caller, org: OrgContext, body: MemberUpdate): Promise<OrgMemberResponse>;
    removeMember(path: MemberPath, caller: Caller, org: OrgContext): Promise<MemberRemoved>;
}
