import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AssignedRole, AssignedRoles } from '../../orgs';
import { selectGroupRoles } from './group-roles.read-model';

const MEMBER: AssignedRole = { role: 'member', ownRoleId: null };

/** The roles of people by the groups that they are in (docs/scim.md#groups). */
@Injectable()
export class GroupRoles {
  constructor(private readonly roles: AssignedRoles) {}

  /** The role that a person gets by their groups. @param scimUserId as the directory has them */
  async of(transaction: EntityManager, orgId: string, scimUserId: string): Promise<AssignedRole> {
    const [role] = (await selectGroupRoles(transaction, orgId, [scimUserId])).values();
    return role ?? MEMBER;
  }

  /** Gives people the roles that they have by their groups now. The caller holds the lock of the organization. */
  async apply(transaction: EntityManager, orgId: string, scimUserIds: readonly string[]): Promise<void> {
    if (scimUserIds.length === 0) return;
    await this.roles.assign(transaction, orgId, await selectGroupRoles(transaction, orgId, scimUserIds));
  }
}
