import { roleHasPermission, outranks, type Role } from '../../../kernel/auth';

/**
 * Who may invite as what (docs/contract.md#invite): admins as member or admin, owners as anything, members
 * nobody. Checked when an invitation is created, and again for its inviter when it is accepted.
 */
export function mayGrant(inviter: Role, granted: Role): boolean {
  return roleHasPermission(inviter, 'invite_user_to_organization') && !outranks(granted, inviter);
}
