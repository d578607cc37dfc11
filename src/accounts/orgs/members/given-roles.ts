import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { type Membership, parseRole, ROLES } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { AssignedRoles } from '../accounts/assigned-roles';
import { Accounts } from '../accounts/accounts.service';
import { OrgMember } from '../record/org-member.entity';
import { OrgRole } from '../record/org-role.entity';

/**
 * Roles that members get from outside, as from a provider of identities. A role is one of the three by its name, or one of the
 * organization's own by its id. Callers hold the lock of the organization, and clear `AuthCaches` after their transaction.
 */
@Injectable()
export class GivenRoles {
  constructor(
    private readonly accounts: Accounts,
    private readonly assigned: AssignedRoles,
  ) {}

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
    const rank = parseRole(role) ?? 'member';
    const isMember = await this.accounts.isMember(transaction, orgId, userId);
    if (!isMember) await this.accounts.addMember(transaction, orgId, userId, rank);
    const given = { role: rank, ownRoleId: parseRole(role) === null ? role : null };
    await this.assigned.assign(transaction, orgId, new Map([[userId, given]]));
  }
}
