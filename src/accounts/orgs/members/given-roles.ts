import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { type Membership, parseRole, ROLES } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { Accounts } from '../accounts/accounts.service';
import { type GivenRole, isSameRole, type RoleChange } from '../accounts/role-changes';
import { OrgMember } from '../record/org-member.entity';
import { OrgRole } from '../record/org-role.entity';

/** A member, by the roles that they have and are to have. */
export interface RoleOfMember {
  readonly userId: string;
  readonly current: string;
  /** A known one. */
  readonly role: string;
}

/**
 * Roles that members get from outside, as from a provider of identities. A role is one of the three by its name, or one of the
 * organization's own by its id. Callers hold the lock of the organization, and clear `AuthCaches` after their transaction.
 */
@Injectable()
export class GivenRoles {
  private readonly logger = new Logger(GivenRoles.name);

  constructor(private readonly accounts: Accounts) {}

  /** Those of some roles that there are in an organization. */
  async known(transaction: EntityManager, orgId: string, roles: readonly string[]): Promise<string[]> {
    const ids = roles.flatMap((role) => parseUuid(role) ?? []);
    const own =
      ids.length === 0 ? [] : await transaction.getRepository(OrgRole).findBy({ orgId, id: In(ids) });
    const known = new Set<string>([...ROLES, ...own.map(({ id }) => id)]);
    return roles.filter((role) => known.has(role));
  }

  /** The role of a member; null for who is none. */
  async of(transaction: EntityManager, { orgId, userId }: Membership): Promise<string | null> {
    const member = await transaction.getRepository(OrgMember).findOneBy({ orgId, userId });
    return member === null ? null : (member.ownRoleId ?? member.role);
  }

  /**
   * Makes a user a member with a role, or gives a member another one. The last owner stays one.
   * @param role a known one
   */
  async give(transaction: EntityManager, { orgId, userId }: Membership, role: string): Promise<void> {
    const current = await this.of(transaction, { orgId, userId });
    if (current !== null) return this.giveMembers(transaction, orgId, [{ userId, current, role }]);
    const { role: rank, ownRoleId } = givenRole(role);
    await this.accounts.addMember(transaction, orgId, userId, rank);
    if (ownRoleId !== null)
      await transaction.getRepository(OrgMember).update({ orgId, userId }, { ownRoleId });
  }

  /**
   * Gives members other roles, all at once. Where no owner would be left, the last of those who are to be one no more stays one.
   */
  async giveMembers(
    transaction: EntityManager,
    orgId: string,
    given: readonly RoleOfMember[],
  ): Promise<void> {
    const changes = given
      .map(({ userId, current, role }) => ({ userId, before: givenRole(current), now: givenRole(role) }))
      .filter(({ before, now }) => !isSameRole(before, now));
    const stays = await this.lastOwner(transaction, orgId, changes);
    if (stays !== null)
      this.logger.warn(
        { orgId, userId: stays.userId, ...stays.now },
        'The last owner was to get another role; they stay owner',
      );
    const made = changes.filter((change) => change !== stays);
    await this.accounts.changeRoles(transaction, orgId, made);
  }

  /** Of those who are to be owners no more the last, where nobody else is one; null otherwise. */
  private async lastOwner(
    transaction: EntityManager,
    orgId: string,
    changes: readonly RoleChange[],
  ): Promise<RoleChange | null> {
    const leaving = changes.filter(({ before }) => before.role === 'owner');
    const last = leaving.at(-1);
    if (last === undefined || changes.some(({ now }) => now.role === 'owner')) return null;
    const owners = await transaction.getRepository(OrgMember).countBy({ orgId, role: 'owner' });
    return owners > leaving.length ? null : last;
  }
}

function givenRole(role: string): GivenRole {
  const rank = parseRole(role);
  return rank === null ? { role: 'member', ownRoleId: role } : { role: rank, ownRoleId: null };
}
