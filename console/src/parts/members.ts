import type { Schemas } from '../api/client';
import type { Organization } from '../app/organization';
import { texts } from '../text';

export type Member = Schemas['OrgMemberResponse'];
export type Role = Member['role'];

/** In rising rank. */
const ROLES: readonly Role[] = ['member', 'admin', 'owner'];

/** What the caller may do about a member; the service has the last word. */
export interface Rights {
  /** The roles that they may give to the member. */
  readonly roles: readonly Role[];
  readonly mayRemove: boolean;
  readonly mayLetIn: boolean;
  readonly mayErase: boolean;
}

/** By the rules for members: by rank and permissions, and never about oneself. */
export function rightsOver({ me, can }: Organization, { user_id, kind, role }: Member): Rights {
  // Service accounts have a page of their own.
  if (user_id === me.user_id || kind === 'service_account')
    return { roles: [], mayRemove: false, mayLetIn: false, mayErase: false };
  const outranks = ROLES.indexOf(me.role) > ROLES.indexOf(role);
  const mayAct = (outranks || me.role === 'owner') && can(`change_user_role:${role}`);
  const mayGive = (given: Role): boolean => can(`change_user_role:${given}`);
  return {
    roles: mayAct && mayGive('member') ? ROLES.filter(mayGive) : [],
    mayRemove: mayAct,
    mayLetIn: outranks && can('invite_user_to_organization'),
    mayErase: (outranks || me.role === 'owner') && can('erase_members'),
  };
}

/** The roles that the caller may invite people with. */
export function invitableRoles({ me }: Organization): readonly Role[] {
  return ROLES.slice(0, ROLES.indexOf(me.role) + 1);
}

/** What a member is called. */
export function nameOf({ name, email, user_id }: Pick<Member, 'name' | 'email' | 'user_id'>): string {
  return name === null || name.trim() === '' ? (email ?? user_id) : name;
}

/** What the role of a member is called: that of the organization's own where they have one. */
export function roleName({ role, own_role }: Pick<Member, 'role' | 'own_role'>): string {
  return own_role?.name ?? texts.console.roles[role];
}
