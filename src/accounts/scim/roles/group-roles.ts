import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GivenRoles } from '../../orgs';
import { selectGroupRoles } from './group-roles.read-model';

/** The roles of people by the groups that they are in (docs/scim.md#groups). */
@Injectable()
export class GroupRoles {
  constructor(private readonly roles: GivenRoles) {}

  /** The role that a person gets by their groups. @param scimUserId as the directory has them */
  async of(transaction: EntityManager, orgId: string, scimUserId: string): Promise<string> {
    const [person] = await selectGroupRoles(transaction, orgId, [scimUserId]);
    return person?.role ?? 'member';
  }

  /**
   * Gives members the roles that they have by their groups now. Of those who are to be owners no more, the one who has been a member
   * the longest stays, where there would be none. The caller holds the lock of the organization.
   */
  async apply(transaction: EntityManager, orgId: string, scimUserIds: readonly string[]): Promise<void> {
    if (scimUserIds.length === 0) return;
    const people = await selectGroupRoles(transaction, orgId, scimUserIds);
    const members = people.flatMap(({ user_id: userId, role, present: current }) =>
      current === null ? [] : { userId, current, role },
    );
    await this.roles.giveMembers(transaction, orgId, members);
  }
}
