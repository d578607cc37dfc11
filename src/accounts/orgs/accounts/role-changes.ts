import type { DomainEventOf } from '../../../kernel/domain-events';
import type { OrgMember } from '../record/org-member.entity';

/** The role of a member: one of the three, and with `member` one of the organization's own, or null. */
export type GivenRole = Pick<OrgMember, 'role' | 'ownRoleId'>;

/** A member who gets another role. */
export interface RoleChange {
  readonly userId: string;
  readonly before: GivenRole;
  readonly now: GivenRole;
}

/** Whether two are the same role. */
export function isSameRole(one: GivenRole, other: GivenRole): boolean {
  return one.role === other.role && one.ownRoleId === other.ownRoleId;
}

/** What is told of a change. */
export function roleChanged(
  orgId: string,
  { userId, before, now }: RoleChange,
): DomainEventOf<'member.role_changed'> {
  const own = { own_role_id: now.ownRoleId, previous_own_role_id: before.ownRoleId };
  return {
    kind: 'member.role_changed',
    org_id: orgId,
    user_id: userId,
    role: now.role,
    previous_role: before.role,
    ...((now.ownRoleId !== null || before.ownRoleId !== null) && own),
  };
}
