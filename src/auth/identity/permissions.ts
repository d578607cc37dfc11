/** The roles of an organization's members, in rising rank (docs/contract.md#permissions). */
export const ROLES = ['member', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Which role has which permission: the only such table (docs/contract.md#permissions). */
const HOLDERS = {
  manage_application_settings: ['member', 'admin', 'owner'],
  view_org_settings: ['member', 'admin', 'owner'],
  manage_api_keys: ['member', 'admin', 'owner'],
  view_automations: ['member', 'admin', 'owner'],
  edit_org_settings: ['admin', 'owner'],
  view_org_conversations: ['admin', 'owner'],
  invite_user_to_organization: ['admin', 'owner'],
  'change_user_role:member': ['admin', 'owner'],
  'change_user_role:admin': ['admin', 'owner'],
  manage_webhooks: ['admin', 'owner'],
  manage_automations: ['admin', 'owner'],
  view_audit_log: ['admin', 'owner'],
  'change_user_role:owner': ['owner'],
  change_organization_name: ['owner'],
  delete_organization: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof HOLDERS;

/** True when members with this role have the permission. */
export function roleHasPermission(role: Role, permission: Permission): boolean {
  const holders: readonly Role[] = HOLDERS[permission];
  return holders.includes(role);
}

/** The permissions of a role, in the table's order. */
export function permissionsOf(role: Role): Permission[] {
  return Object.entries<readonly Role[]>(HOLDERS)
    .filter(([, holders]) => holders.includes(role))
    .map(([permission]) => permission as Permission);
}

/** True when the first role ranks above the second one. */
export function outranks(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(other);
}

/** Reads a role without regard to case; null when it is none of the three. */
export function parseRole(text: string): Role | null {
  return ROLES.find((role) => role === text.toLowerCase()) ?? null;
}
