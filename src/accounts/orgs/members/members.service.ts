import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AuthCaches,
  type Asker,
  type Caller,
  KeyScopeError,
  NotAMemberError,
  type OrgContext,
  parseRole,
  PermissionTable,
  type Role,
  ServiceActor,
  type Standing,
  toGive,
} from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, parseUuid, WantedText } from '../../../kernel/common';
import { Accounts } from '../accounts/accounts.service';
import { type GivenRole, isSameRole } from '../accounts/role-changes';
import { OrgMember } from '../record/org-member.entity';
import type {
  MemberQuery,
  MemberRemoved,
  MemberUpdate,
  OrgMemberPage,
  OrgMemberResponse,
  OwnMembership,
} from './members.dto';
import { LockedStandings } from '../standings/locked-standings';
import { mayChangeRole, mayGive, mayRemove, mayRemoveAny } from './member-rules';
import { type MemberRow, selectMember, selectMembers } from './members.query';
import {
  InvalidRoleError,
  LastOwnerError,
  MemberNotFoundError,
  OwnRoleError,
  RankTooLowError,
  ServiceAccountError,
} from '../organizations/orgs.errors';
import { OwnRoleRankError } from '../roles/roles.errors';
import { OwnRoles } from '../roles/own-roles';

const PAGES = PageIds.byId('members');

/**
 * The members of an organization (docs/contract.md#member-rules). Modules that keep something of a member
 * running listen to `member.removed`, which is also published for members who leave.
 */
@Injectable()
export class MembersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly standings: LockedStandings,
    private readonly roles: OwnRoles,
    private readonly accounts: Accounts,
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
    return { ...toResponse(row), org_id: org.orgId, permissions: this.permissions.known(org.permissions) };
  }

  /** One of the members. @throws MemberNotFoundError */
  async get({ orgId }: Pick<OrgContext, 'orgId'>, user: string): Promise<OrgMemberResponse> {
    const userId = parseUuid(user);
    const row = userId === null ? null : await selectMember(this.database, orgId, userId);
    if (!row) throw new MemberNotFoundError();
    return toResponse(row);
  }

  /**
   * Gives a member one of the three roles, one of the organization's own, or takes that away.
   * @throws InvalidRoleError, OwnRoleRankError, OwnRoleError, MemberNotFoundError, RankTooLowError,
   *   RoleNotFoundError, RoleNotHeldError, ServiceAccountError, NotAMemberError; LastOwnerError where the service itself would leave none
   */
  async changeRole(
    caller: Pick<Asker, 'userId'>,
    org: OrgContext,
    user: string,
    update: MemberUpdate,
  ): Promise<OrgMemberResponse> {
    const wanted = wantedRole(update);
    const userId = parseUuid(user);
    if (userId !== null && userId === caller.userId) throw new OwnRoleError();
    const changed = await this.database.transaction(async (transaction) => {
      const actor = await this.standings.of(transaction, org.orgId, caller);
      const giving = toGive(actor, org);
      if (!mayGive(giving, wanted.role ?? 'member')) throw new RankTooLowError();
      const member = userId === null ? null : await selectMember(transaction, org.orgId, userId);
      if (!member) throw new MemberNotFoundError();
      const role = wanted.role ?? member.role;
      if (!mayGive(giving, member.role) || !mayChangeRole(actor, this.standingOf(member), role))
        throw new RankTooLowError();
      if (member.kind === 'service_account') throw new ServiceAccountError();
      const own = await this.roles.ofId(transaction, org.orgId, giving, wanted.ownRoleId);
      const given = { role, ownRoleId: wanted.ownRoleId };
      if (isSameRole(roleOf(member), given)) return member;
      if (caller instanceof ServiceActor) await this.checkLeaving(transaction, org.orgId, member.role);
      const change = { userId: member.user_id, before: roleOf(member), now: given };
      await this.accounts.changeRoles(transaction, org.orgId, [change]);
      return { ...member, role, own_role: own };
    });
    this.caches.clear();
    return toResponse(changed);
  }

  /**
   * Removes a member, or lets the caller leave.
   * @throws MemberNotFoundError, RankTooLowError, LastOwnerError, NotAMemberError, KeyScopeError, ServiceAccountError
   */
  async remove(caller: Caller, org: OrgContext, user: string): Promise<MemberRemoved> {
    const parsedId = parseUuid(user);
    const isLeaving = parsedId === caller.userId;
    if (isLeaving && caller.madeBy !== undefined) throw new ServiceAccountError();
    const needed = isLeaving ? [] : ['change_user_role:member' as const];
    if (caller.scopes !== null && !needed.some((scope) => org.permissions.has(scope)))
      throw new KeyScopeError(needed);
    await this.database.transaction(async (transaction) => {
      const actor = await this.standings.of(transaction, org.orgId, caller);
      const userId = isLeaving
        ? caller.userId
        : await this.removableMember(transaction, org, actor, parsedId);
      await this.accounts.removeMember(transaction, org.orgId, userId);
    });
    this.caches.clear();
    return { message: isLeaving ? 'You left the organization.' : 'The member was removed.' };
  }

  private async checkLeaving(transaction: EntityManager, orgId: string, role: Role): Promise<void> {
    if (role !== 'owner') return;
    const owners = await transaction
      .getRepository(OrgMember)
      .find({ where: { orgId, role: 'owner' }, select: { userId: true }, take: 2 });
    if (owners.length < 2) throw new LastOwnerError();
  }

  /** @returns the id of a member whom the actor may remove */
  private async removableMember(
    transaction: EntityManager,
    org: OrgContext,
    actor: Standing,
    userId: string | null,
  ): Promise<string> {
    if (!mayRemoveAny(actor)) throw new RankTooLowError();
    const member = userId === null ? null : await selectMember(transaction, org.orgId, userId);
    if (!member) throw new MemberNotFoundError();
    // A key reaches those alone whose role it could give.
    if (!mayGive(toGive(actor, org), member.role) || !mayRemove(actor, this.standingOf(member)))
      throw new RankTooLowError();
    if (member.kind === 'service_account') throw new ServiceAccountError();
    return member.user_id;
  }

  private standingOf({ role, own_role }: MemberRow): Standing {
    return this.permissions.standing(role, own_role?.permissions ?? null);
  }
}

/** The role that a request wants for a member; null leaves the rank that they have. */
export interface WantedRole {
  readonly role: Role | null;
  /** Null for none. */
  readonly ownRoleId: string | null;
}

/** @throws InvalidRoleError, OwnRoleRankError */
export function wantedRole({
  role: text,
  own_role_id: ownRoleId,
}: Pick<MemberUpdate, 'role' | 'own_role_id'>): WantedRole {
  const role = text === undefined ? null : parseRole(text);
  if (text !== undefined && role === null) throw new InvalidRoleError();
  if (ownRoleId === undefined || ownRoleId === null) return { role, ownRoleId: null };
  if (role !== null && role !== 'member') throw new OwnRoleRankError();
  return { role: 'member', ownRoleId };
}

function roleOf({ role, own_role }: MemberRow): GivenRole {
  return { role, ownRoleId: own_role?.id ?? null };
}

function toResponse(row: MemberRow) {
  const status: OrgMemberResponse['status'] = row.disabled_at === null ? 'active' : 'disabled';
  return {
    user_id: row.user_id,
    kind: row.kind,
    email: row.email,
    name: row.name,
    role: row.role,
    own_role: row.own_role === null ? null : { id: row.own_role.id, name: row.own_role.name },
    created_at: row.created_at.toISOString(),
    status,
  };
}
