import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import {
  AuthCaches,
  type Asker,
  type Caller,
  NotAMemberError,
  type OrgContext,
  parseRole,
  PermissionTable,
  type Role,
  roleHasPermission,
  outranks,
  ServiceActor,
} from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, parseUuid, WantedText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { AccountLocks } from '../record/account-locks';
import { OrgMember } from '../record/org-member.entity';
import type {
  MemberQuery,
  MemberRemoved,
  OrgMemberPage,
  OrgMemberResponse,
  OwnMembership,
} from './members.dto';
import { type MemberRow, selectMember, selectMembers } from './members.query';
import {
  InvalidRoleError,
  LastOwnerError,
  MemberNotFoundError,
  OwnRoleError,
  RankTooLowError,
} from '../organizations/orgs.errors';

const PAGES = PageIds.byId('members');

/**
 * The members of an organization (docs/contract.md#member-rules). Modules that keep something of a member
 * running listen to `member.removed`, which is also published for members who leave.
 */
@Injectable()
export class MembersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(OrgMember) private readonly members: Repository<OrgMember>,
    private readonly locks: AccountLocks,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
    private readonly permissions: PermissionTable,
  ) {}

  /** A page of the members, by user id. @throws PageIdInvalidError */
  async list({ orgId }: Pick<OrgContext, 'orgId'>, query: MemberQuery): Promise<OrgMemberPage> {
    const limit = clampLimit(query.limit);
    const rows = await selectMembers(this.database, {
      orgId,
      search: WantedText.of(query.search),
      from: PAGES.read(query.page_id),
      limit: limit + 1,
    });
    return pageOf(rows, limit, toResponse, (row) => PAGES.write(row.user_id));
  }

  /** The caller as a member of the organization. */
  async own(caller: Caller, org: OrgContext): Promise<OwnMembership> {
    const row = await selectMember(this.database, org.orgId, caller.userId);
    if (!row) throw new NotAMemberError();
    return { ...toResponse(row), org_id: org.orgId, permissions: this.permissions.of(row.role) };
  }

  /** One of the members. @throws MemberNotFoundError */
  async get({ orgId }: Pick<OrgContext, 'orgId'>, user: string): Promise<OrgMemberResponse> {
    const userId = parseUuid(user);
    const row = userId === null ? null : await selectMember(this.database, orgId, userId);
    if (!row) throw new MemberNotFoundError();
    return toResponse(row);
  }

  /**
   * @throws InvalidRoleError, OwnRoleError, MemberNotFoundError, RankTooLowError, NotAMemberError; LastOwnerError where the
   *   service itself would leave none
   */
  async changeRole(
    caller: Pick<Asker, 'userId'>,
    org: OrgContext,
    user: string,
    roleText: string,
  ): Promise<OrgMemberResponse> {
    const role = parseRole(roleText);
    if (role === null) throw new InvalidRoleError();
    const userId = parseUuid(user);
    if (userId !== null && userId === caller.userId) throw new OwnRoleError();
    const changed = await this.database.transaction(async (transaction) => {
      const actor = await this.lockedRole(transaction, org.orgId, caller);
      if (!mayGive(actor, role)) throw new RankTooLowError();
      const member = userId === null ? null : await selectMember(transaction, org.orgId, userId);
      if (!member) throw new MemberNotFoundError();
      if (!mayChangeRole(actor, member.role, role)) throw new RankTooLowError();
      if (member.role === role) return member;
      if (caller instanceof ServiceActor) await this.checkLeaving(transaction, org.orgId, member.role);
      await transaction
        .withRepository(this.members)
        .update({ orgId: org.orgId, userId: member.user_id }, { role });
      await this.events.publish(transaction, {
        kind: 'member.role_changed',
        org_id: org.orgId,
        user_id: member.user_id,
        role,
        previous_role: member.role,
      });
      return { ...member, role };
    });
    this.caches.clear();
    return toResponse(changed);
  }

  /**
   * Removes a member, or lets the caller leave.
   * @throws MemberNotFoundError, RankTooLowError, LastOwnerError, NotAMemberError
   */
  async remove(caller: Caller, org: OrgContext, user: string): Promise<MemberRemoved> {
    const parsedId = parseUuid(user);
    const isLeaving = parsedId === caller.userId;
    await this.database.transaction(async (transaction) => {
      const actor = await this.lockedRole(transaction, org.orgId, caller);
      if (isLeaving) await this.checkLeaving(transaction, org.orgId, actor);
      const userId = isLeaving
        ? caller.userId
        : await this.removableMember(transaction, org.orgId, actor, parsedId);
      await transaction.withRepository(this.members).delete({ orgId: org.orgId, userId });
      await this.events.publish(transaction, { kind: 'member.removed', org_id: org.orgId, user_id: userId });
    });
    this.caches.clear();
    return { message: isLeaving ? 'You left the organization.' : 'The member was removed.' };
  }

  private async checkLeaving(transaction: EntityManager, orgId: string, role: Role): Promise<void> {
    if (role !== 'owner') return;
    const owners = await transaction
      .withRepository(this.members)
      .find({ where: { orgId, role: 'owner' }, select: { userId: true }, take: 2 });
    if (owners.length < 2) throw new LastOwnerError();
  }

  /** @returns the id of a member whom a member with the role `actor` may remove */
  private async removableMember(
    transaction: EntityManager,
    orgId: string,
    actor: Role,
    userId: string | null,
  ): Promise<string> {
    // A plain member removes nobody, and does not learn who is a member.
    if (!mayRemove(actor, 'member')) throw new RankTooLowError();
    const member = userId === null ? null : await selectMember(transaction, orgId, userId);
    if (!member) throw new MemberNotFoundError();
    if (!mayRemove(actor, member.role)) throw new RankTooLowError();
    return member.user_id;
  }

  /**
   * The caller's role as it is now, under a lock of the organization: two owners who act on each other at
   * once are then handled one after the other, and the second is no longer an owner.
   */
  private async lockedRole(
    transaction: EntityManager,
    orgId: string,
    caller: Pick<Asker, 'userId'>,
  ): Promise<Role> {
    await this.locks.organization(transaction, orgId);
    if (caller instanceof ServiceActor) return caller.role;
    const row = caller.userId === null ? null : await selectMember(transaction, orgId, caller.userId);
    if (!row) throw new NotAMemberError();
    return row.role;
  }
}

function toResponse(row: MemberRow) {
  const status: OrgMemberResponse['status'] = row.disabled_at === null ? 'active' : 'disabled';
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    status,
  };
}

/** True when a member of role `actor` may give that role to others (docs/contract.md#member-rules). */
function mayGive(actor: Role, role: Role): boolean {
  return roleHasPermission(actor, `change_user_role:${role}`);
}

/** True when a member of role `actor` may act on one of role `target`: of higher rank, owners also on owners. */
function mayActOn(actor: Role, target: Role): boolean {
  return (outranks(actor, target) || actor === 'owner') && mayGive(actor, target);
}

/**
 * True when a member of role `actor` may turn another's role `from` into `to`
 * (docs/contract.md#member-rules).
 */
export function mayChangeRole(actor: Role, from: Role, to: Role): boolean {
  return mayActOn(actor, from) && mayGive(actor, to);
}

/** True when a member of role `actor` may remove another of role `target` (docs/contract.md#member-rules). */
export function mayRemove(actor: Role, target: Role): boolean {
  return mayActOn(actor, target);
}
