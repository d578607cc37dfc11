import { roleHasPermission, outranks, type Role } from '../../../kernel/auth';

/** True when a member of role `actor` may give that role to others (docs/contract.md#member-rules). */
export function mayGive(actor: Role, role: Role): boolean {
  return roleHasPermission(actor, `change_user_role:${role}`);
}

/** True when a member of role `actor` may act on one of role `target`: of higher rank, owners also on owners. */
function mayActOn(actor: Role, target: Role): boolean {
  return (outranks(actor, target) || actor === 'owner') && mayGive(actor, target);
}

/**
 * True when a member of role `actor` may turn another's role `from` into `to`
 * (docs/contract.md#member-rules).
 */
export function mayChangeRole(actor: Role, from: Role, to: Role): boolean {
  return mayActOn(actor, from) && mayGive(actor, to);
}

/** True when a member of role `actor` may remove another of role `target` (docs/contract.md#member-rules). */
export function mayRemove(actor: Role, target: Role): boolean {
  return mayActOn(actor, target);
}
