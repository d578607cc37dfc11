import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  lacking,
  type Membership,
  PermissionTable,
  type Role,
  ROLES,
  type Standing,
} from '../../../kernel/auth';
import { MembershipService } from '../../orgs';

/**
 * The roles that a member may invite as (docs/contract.md#invite): for who may invite at all, those of which they have every
 * permission. Of the three, admins may invite as member or admin, and owners as anything.
 */
export function grantableRoles(table: PermissionTable, inviter: Standing | null): ReadonlySet<Role> {
  if (inviter?.permissions.has('invite_user_to_organization') !== true) return new Set();
  return new Set(ROLES.filter((role) => lacking(inviter.permissions, table.of(role)).length === 0));
}

/** Whether what was sent may make people more than members: a key with scopes needs that of the role. */
function mayBeGiven(role: Role, { permissions }: Pick<Standing, 'permissions'>): boolean {
  return role === 'member' || permissions.has(`change_user_role:${role}`);
}

/** Who may invite as what, now: read when an invitation is made, and again for its inviter when it is accepted. */
@Injectable()
export class GrantableRoles {
  constructor(
    private readonly members: MembershipService,
    private readonly table: PermissionTable,
  ) {}

  /** @param inviter whatever their key can do; nothing is granted by who is no member, or disabled */
  async of(database: EntityManager, inviter: Membership): Promise<ReadonlySet<Role>> {
    return grantableRoles(this.table, await this.members.standingIn(database, inviter));
  }

  /** Those of them that what was sent can give, too. @param sent of the request: without what scopes take away */
  async bySent(
    database: EntityManager,
    inviter: Membership,
    sent: Pick<Standing, 'permissions'>,
  ): Promise<ReadonlySet<Role>> {
    const grantable = await this.of(database, inviter);
    return new Set([...grantable].filter((role) => mayBeGiven(role, sent)));
  }
}
