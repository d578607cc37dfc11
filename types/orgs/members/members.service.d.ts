import { DataSource, Repository } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext, PermissionTable } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { AccountLocks } from '../record/account-locks';
import { OrgMember } from '../record/org-member.entity';
import type { MemberRemoved, OrgMemberPage, OrgMemberResponse, OwnMembership } from './members.dto';
import type { PageQuery } from '../organizations/organizations.dto';
/**
 * The members of an organization (docs/contract.md#member-rules). Modules that keep something of a member
 * running listen to `member.removed`, which is also published for members who leave.
 */
export declare class MembersService {
    private readonly database;
    private readonly members;
    private readonly locks;
    private readonly events;
    private readonly caches;
    private readonly permissions;
    constructor(database: DataSource, members: Repository<OrgMember>, locks: AccountLocks, events: DomainEvents, caches: AuthCaches, permissions: PermissionTable);
    /** A page of the members, by user id. */
    list(org: OrgContext, query: PageQuery): Promise<OrgMemberPage>;
    /** The caller as a member of the organization. */
    own(caller: Caller, org: OrgContext): Promise<OwnMembership>;
    /** @throws InvalidRoleError, OwnRoleError, MemberNotFoundError, RankTooLowError, NotAMemberError */
    changeRole(caller: Caller, org: OrgContext, user: string, roleText: string): Promise<OrgMemberResponse>;
    /**
     * Removes a member, or lets the caller leave.
     * @throws MemberNotFoundError, RankTooLowError, LastOwnerError, NotAMemberError
     */
    remove(caller: Caller, org: OrgContext, user: string): Promise<MemberRemoved>;
    private checkLeaving;
    /** @returns the id of a member whom a member with the role `actor` may remove */
    private removableMember;
    /**
     * The caller's role as it is now, under a lock of the organization: two owners who act on each other at
     * once are then handled one after the other, and the second is no longer an owner.
     */
    private lockedRole;
}
