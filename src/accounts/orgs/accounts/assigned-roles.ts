import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { Role } from '../../../kernel/auth';
import { DomainEvents } from '../../../kernel/domain-events';
import { OrgMember } from '../record/org-member.entity';

/** A role that a member is to have: one of the three, or one of the organization's own, with the rank of `member`. */
export interface AssignedRole {
  readonly role: Role;
  readonly ownRoleId: string | null;
}

/** Gives members the roles that something else than a member decides on, such as the organization's directory. */
@Injectable()
export class AssignedRoles {
  private readonly logger = new Logger(AssignedRoles.name);

  constructor(private readonly events: DomainEvents) {}

  /**
   * Gives members other roles; who is no member is passed over. An organization keeps an owner: where none would be left, the one
   * who has been a member for longest stays one, which is logged. The caller holds the lock of the organization.
   * @param wanted roles by user
   */
  async assign(
    transaction: EntityManager,
    orgId: string,
    wanted: ReadonlyMap<string, AssignedRole>,
  ): Promise<void> {
    const members = transaction.getRepository(OrgMember);
    const current = await members.find({
      where: { orgId, userId: In([...wanted.keys()]) },
      order: { createdAt: 'ASC', userId: 'ASC' },
    });
    const changes = current.flatMap((member) => {
      const role = wanted.get(member.userId);
      return role === undefined || isSame(member, role) ? [] : [{ member, role }];
    });
    const kept = await this.keptOwner(transaction, orgId, changes);
    const made = changes.filter(({ member }) => member.userId !== kept);
    for (const { member, role } of made)
      await members.update({ orgId, userId: member.userId }, { role: role.role, ownRoleId: role.ownRoleId });
    await this.events.publish(
      transaction,
      ...made.map(({ member, role }) => ({
        kind: 'member.role_changed' as const,
        org_id: orgId,
        user_id: member.userId,
        role: role.role,
        previous_role: member.role,
        ...((role.ownRoleId !== null || member.ownRoleId !== null) && {
          own_role_id: role.ownRoleId,
          previous_own_role_id: member.ownRoleId,
        }),
      })),
    );
  }

  /** The owner who has to stay one, where changes would leave none; null where they leave one. */
  private async keptOwner(
    transaction: EntityManager,
    orgId: string,
    changes: readonly { readonly member: OrgMember; readonly role: AssignedRole }[],
  ): Promise<string | null> {
    const leaving = changes.filter(({ member, role }) => member.role === 'owner' && role.role !== 'owner');
    const [first] = leaving;
    if (first === undefined || changes.some(({ role }) => role.role === 'owner')) return null;
    const owners = await transaction.getRepository(OrgMember).countBy({ orgId, role: 'owner' });
    if (owners > leaving.length) return null;
    const { userId } = first.member;
    this.logger.warn({ orgId, userId }, 'A directory would take the last owner; they stay one');
    return userId;
  }
}

function isSame(member: OrgMember, { role, ownRoleId }: AssignedRole): boolean {
  return member.role === role && member.ownRoleId === ownRoleId;
}
