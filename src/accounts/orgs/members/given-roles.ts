import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { type Membership, parseRole, ROLES } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { Accounts } from '../accounts/accounts.service';
import { OrgMember } from '../record/org-member.entity';
import { OrgRole } from '../record/org-role.entity';

/**
 * Roles that members get from outside, as from a provider of identities. A role is one of the three by its name, or one of the
 * organization's own by its id. Callers hold the lock of the organization, and clear `AuthCaches` after their transaction.
 */
@Injectable()
export class GivenRoles {
  private readonly logger = new Logger(GivenRoles.name);

  constructor(
    private readonly accounts: Accounts,
    private readonly events: DomainEvents,
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
    const members = transaction.getRepository(OrgMember);
    const rank = parseRole(role) ?? 'member';
    const ownRoleId = parseRole(role) === null ? role : null;
    const member = await members.findOneBy({ orgId, userId });
    if (member === null) {
      await this.accounts.addMember(transaction, orgId, userId, rank);
      if (ownRoleId !== null) await members.update({ orgId, userId }, { ownRoleId });
    } else if (member.role === 'owner' && rank !== 'owner' && (await this.isLastOwner(transaction, orgId)))
      this.logger.warn({ orgId, userId, role }, 'The last owner was to get another role; they stay owner');
    else if (member.role !== rank || member.ownRoleId !== ownRoleId)
      await this.change(transaction, member, { role: rank, ownRoleId });
  }

  private async change(
    transaction: EntityManager,
    member: OrgMember,
    now: Pick<OrgMember, 'role' | 'ownRoleId'>,
  ): Promise<void> {
    const { orgId, userId, role, ownRoleId } = member;
    await transaction.getRepository(OrgMember).update({ orgId, userId }, now);
    await this.events.publish(transaction, {
      kind: 'member.role_changed',
      org_id: orgId,
      user_id: userId,
      role: now.role,
      previous_role: role,
      ...((ownRoleId !== null || now.ownRoleId !== null) && {
        own_role_id: now.ownRoleId,
        previous_own_role_id: ownRoleId,
      }),
    });
  }

  private async isLastOwner(transaction: EntityManager, orgId: string): Promise<boolean> {
    return (await transaction.getRepository(OrgMember).countBy({ orgId, role: 'owner' })) < 2;
  }
}
