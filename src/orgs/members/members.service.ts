import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  NotAMemberError,
  type OrgContext,
  parseRole,
  permissionsOf,
  type Role,
} from '../../auth';
import { clampLimit, pageOf, parseUuid } from '../../common';
import { JobQueue } from '../../jobs';
import { mayChangeRole, mayGive, mayRemove } from './member-rules';
import type { MemberRemoved, OrgMemberPage, OrgMemberResponse, OwnMembership } from './members.dto';
import type { PageQuery } from '../organizations/organizations.dto';
import {
  InvalidRoleError,
  LastOwnerError,
  MemberNotFoundError,
  OwnRoleError,
  RankTooLowError,
} from '../organizations/orgs.errors';

interface MemberRow {
  readonly user_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly created_at: Date;
  readonly disabled_at: Date | null;
}

/** A job has one handler: sandboxes take the first, the queues of messages the second. */
const REMOVAL_JOBS = ['member-removed', 'member-removed:messages'];

const SELECT_MEMBERS = `SELECT m.user_id, u.email, u.name, m.role, m.created_at, u.disabled_at
                          FROM org_members m JOIN users u ON u.id = m.user_id`;

/**
 * The members of an organization (docs/contract.md#member-rules). Whoever leaves, by themselves or removed,
 * leaves jobs with `{org_id, user_id}` in the same transaction, which end what they left running.
 */
@Injectable()
export class MembersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly caches: AuthCaches,
  ) {}

  /** A page of the members, by user id. */
  async list(org: OrgContext, query: PageQuery): Promise<OrgMemberPage> {
    const limit = clampLimit(query.limit);
    const rows = await this.database.query<MemberRow[]>(
      `${SELECT_MEMBERS} WHERE m.org_id = $1 AND ($2::uuid IS NULL OR m.user_id >= $2)
        ORDER BY m.user_id LIMIT $3`,
      [org.orgId, query.page_id, limit + 1],
    );
    return pageOf(rows, limit, toResponse, (row) => row.user_id);
  }

  /** The caller as a member of the organization. */
  async own(caller: Caller, org: OrgContext): Promise<OwnMembership> {
    const row = await this.find(this.database.manager, org.orgId, caller.userId);
    if (!row) throw new NotAMemberError();
    return { ...toResponse(row), org_id: org.orgId, permissions: permissionsOf(row.role) };
  }

  /** @throws InvalidRoleError, OwnRoleError, MemberNotFoundError, RankTooLowError, NotAMemberError */
  async changeRole(
    caller: Caller,
    org: OrgContext,
    user: string,
    roleText: string,
  ): Promise<OrgMemberResponse> {
    const role = parseRole(roleText);
    if (role === null) throw new InvalidRoleError();
    const userId = parseUuid(user);
    if (userId === caller.userId) throw new OwnRoleError();
    const changed = await this.database.transaction(async (transaction) => {
      const actor = await this.lockedRole(transaction, org.orgId, caller.userId);
      if (!mayGive(actor, role)) throw new RankTooLowError();
      const member = userId === null ? null : await this.find(transaction, org.orgId, userId);
      if (!member) throw new MemberNotFoundError();
      if (!mayChangeRole(actor, member.role, role)) throw new RankTooLowError();
      await transaction.query('UPDATE org_members SET role = $1 WHERE org_id = $2 AND user_id = $3', [
        role,
        org.orgId,
        member.user_id,
      ]);
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
    const userId = parseUuid(user);
    await this.database.transaction(async (transaction) => {
      const actor = await this.lockedRole(transaction, org.orgId, caller.userId);
      if (userId === caller.userId) await this.checkLeaving(transaction, org.orgId, actor);
      else await this.checkRemoval(transaction, org.orgId, actor, userId);
      await transaction.query('DELETE FROM org_members WHERE org_id = $1 AND user_id = $2', [
        org.orgId,
        userId,
      ]);
      const payload = { org_id: org.orgId, user_id: userId };
      for (const name of REMOVAL_JOBS) await this.jobs.add(transaction, { name, payload });
    });
    this.caches.clear();
    return { message: userId === caller.userId ? 'You left the organization.' : 'The member was removed.' };
  }

  private async checkLeaving(transaction: EntityManager, orgId: string, role: Role): Promise<void> {
    if (role !== 'owner') return;
    const owners = await transaction.query<unknown[]>(
      `SELECT 1 FROM org_members WHERE org_id = $1 AND role = 'owner' LIMIT 2`,
      [orgId],
    );
    if (owners.length < 2) throw new LastOwnerError();
  }

  private async checkRemoval(
    transaction: EntityManager,
    orgId: string,
    actor: Role,
    userId: string | null,
  ): Promise<void> {
    // A plain member removes nobody, and is not told who is a member.
    if (!mayRemove(actor, 'member')) throw new RankTooLowError();
    const member = userId === null ? null : await this.find(transaction, orgId, userId);
    if (!member) throw new MemberNotFoundError();
    if (!mayRemove(actor, member.role)) throw new RankTooLowError();
  }

  /**
   * The caller's role as it is now, under a lock of the organization: two owners who act on each other at
   * once are then served one after the other, and the second is no owner any more.
   */
  private async lockedRole(transaction: EntityManager, orgId: string, userId: string): Promise<Role> {
    await transaction.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
    const row = await this.find(transaction, orgId, userId);
    if (!row) throw new NotAMemberError();
    return row.role;
  }

  private async find(manager: EntityManager, orgId: string, userId: string): Promise<MemberRow | null> {
    const [row] = await manager.query<MemberRow[]>(
      `${SELECT_MEMBERS} WHERE m.org_id = $1 AND m.user_id = $2`,
      [orgId, userId],
    );
    return row ?? null;
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
