/** The roles of an organization's members, in rising rank (docs/contract.md#permissions). */
export const ROLES = ['member', 'admin', 'owner'] as const;

/** A role in an organization; each has what those before it in {@link ROLES} have. */
export type Role = (typeof ROLES)[number];

/** Which role has which permission of the service: the only such table (docs/contract.md#permissions). */
const HOLDERS = {
  manage_application_settings: ['member', 'admin', 'owner'],
  view_org_settings: ['member', 'admin', 'owner'],
  manage_api_keys: ['member', 'admin', 'owner'],
  view_automations: ['member', 'admin', 'owner'],
  edit_org_settings: ['admin', 'owner'],
  view_org_conversations: ['admin', 'owner'],
  stop_org_conversations: ['admin', 'owner'],
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

/** A permission of the service itself. */
type ServicePermission = keyof typeof HOLDERS;

/** A permission of an extension, such as `acme:manage_notes`. */
export type ExtensionPermission = `${string}:${string}`;

/** A permission that a route may require: of the service, or of an extension. */
export type Permission = ServicePermission | ExtensionPermission;

/** Permissions of extensions, each with the lowest role that has it; higher ones have it, too. */
export type LowestRoles = Readonly<Record<ExtensionPermission, Role>>;

/** True when members with this role have the permission of the service. */
export function roleHasPermission(role: Role, permission: ServicePermission): boolean {
  const holders: readonly Role[] = HOLDERS[permission];
  return holders.includes(role);
}

/** The permissions of the service that a role has, in the table's order. */
export function permissionsOf(role: Role): ServicePermission[] {
  return Object.entries<readonly Role[]>(HOLDERS)
    .filter(([, holders]) => holders.includes(role))
    .map(([permission]) => permission as ServicePermission);
}

/** Whether a permission is the service's own. */
export function isOfService(permission: string): permission is ServicePermission {
  return Object.hasOwn(HOLDERS, permission);
}

/** True when the first role ranks above the second one. */
export function outranks(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(other);
}

/** Reads a role without regard to case; null when it is none of the three. */
export function parseRole(text: string): Role | null {
  return ROLES.find((role) => role === text.toLowerCase()) ?? null;
}
