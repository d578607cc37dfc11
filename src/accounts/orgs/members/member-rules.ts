import { lacking, outranks, type Role, type Standing } from '../../../kernel/auth';

/** True when a member may give that role to others (docs/contract.md#member-rules). */
export function mayGive(actor: Standing, role: Role): boolean {
  return actor.permissions.has(`change_user_role:${role}`);
}

/** True when a member may act on another one: they rank above them, or both are owners, and lack nothing of what these may do. */
function mayActOn(actor: Standing, target: Standing): boolean {
  return (
    (outranks(actor.role, target.role) || actor.role === 'owner') &&
    mayGive(actor, target.role) &&
    lacking(actor.permissions, target.permissions).length === 0
  );
}

/** True when a member may give another one, as they are, the role `to` (docs/contract.md#member-rules). */
export function mayChangeRole(actor: Standing, from: Standing, to: Role): boolean {
  return mayActOn(actor, from) && mayGive(actor, to);
}

/** True when a member may remove another one (docs/contract.md#member-rules). */
export function mayRemove(actor: Standing, target: Standing): boolean {
  return mayActOn(actor, target);
}

/** True when a member may remove others at all: who may not does not learn who is a member. */
export function mayRemoveAny(actor: Standing): boolean {
  return outranks(actor.role, 'member') && mayGive(actor, 'member');
}
