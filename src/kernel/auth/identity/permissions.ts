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
  use_conversations: ['member', 'admin', 'owner'],
  edit_org_settings: ['admin', 'owner'],
  view_org_conversations: ['admin', 'owner'],
  stop_org_conversations: ['admin', 'owner'],
  invite_user_to_organization: ['admin', 'owner'],
  'change_user_role:member': ['admin', 'owner'],
  'change_user_role:admin': ['admin', 'owner'],
  manage_sessions: ['admin', 'owner'],
  manage_webhooks: ['admin', 'owner'],
  manage_automations: ['admin', 'owner'],
  view_audit_log: ['admin', 'owner'],
  manage_roles: ['admin', 'owner'],
  manage_service_accounts: ['admin', 'owner'],
  view_retention: ['admin', 'owner'],
  manage_legal_holds: ['admin', 'owner'],
  view_budgets: ['admin', 'owner'],
  manage_budgets: ['admin', 'owner'],
  'change_user_role:owner': ['owner'],
  change_organization_name: ['owner'],
  delete_organization: ['owner'],
  manage_identity_providers: ['owner'],
  manage_scim: ['owner'],
  manage_retention: ['owner'],
  erase_members: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

/** What lets somebody in, gives them something, or erases or holds what is theirs: people answer for it, and no service account has it, whatever its role. */
const OF_PEOPLE: ReadonlySet<string> = new Set<keyof typeof HOLDERS>([
  'manage_api_keys',
  'invite_user_to_organization',
  'change_user_role:member',
  'change_user_role:admin',
  'change_user_role:owner',
  'manage_roles',
  'manage_service_accounts',
  'manage_identity_providers',
  'manage_scim',
  'manage_legal_holds',
  'erase_members',
  'delete_organization',
]);

/** A permission of the service itself. */
type ServicePermission = keyof typeof HOLDERS;

/** A permission of an extension, such as `acme:manage_notes`. */
export type ExtensionPermission = `${string}:${string}`;

/** A permission that a route may require: of the service, or of an extension. */
export type Permission = ServicePermission | ExtensionPermission;

/** How many permissions a key may be restricted to. */
export const MAX_SCOPES = 100;

/** Permissions of extensions, each with the lowest role that has it; higher ones have it, too. */
export type LowestRoles = Readonly<Record<ExtensionPermission, Role>>;

/** What an organization asks of the credentials that are used in it. */
export interface CredentialRules {
  /** How long a key may work, from when it was made; null for as long as wanted. */
  readonly longestKeyDays: number | null;
  readonly expiryRequired: boolean;
  readonly scopesRequired: boolean;
  /** Whether people's keys count although it lets people in by its own provider only. */
  readonly keysBesideProvider: boolean;
  /** The provider of identities by which alone people are let in; null where everything lets them in. */
  readonly onlyProviderId: string | null;
}

/** What a member is in an organization, and may do there. */
export interface Standing {
  /** Their rank. */
  readonly role: Role;
  /** Those of the role, or of the organization's own role that they have; with a key that can do less, only those of its scopes. */
  readonly permissions: ReadonlySet<Permission>;
  /** Null where nothing is asked of credentials. */
  readonly rules: CredentialRules | null;
}

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

/** Those of some permissions that are not held: nobody grants them, or acts on who has them (docs/roles.md). */
export function lacking(held: ReadonlySet<Permission>, wanted: Iterable<Permission>): Permission[] {
  return [...wanted].filter((permission) => !held.has(permission));
}

/**
 * What somebody may give to others: what they may do themselves, as far as what they sent can do it, too.
 * @param own theirs, read under a lock @param sent of the request: without what scopes take away
 */
export function toGive(own: Standing, sent: Pick<Standing, 'permissions'>): Standing {
  return { ...own, permissions: new Set([...own.permissions].filter((each) => sent.permissions.has(each))) };
}

/** True when one member may let others in as another: they rank above them, and may do all that these may. */
export function mayActAs(maker: Standing, member: Standing): boolean {
  return outranks(maker.role, member.role) && lacking(maker.permissions, member.permissions).length === 0;
}

/** What a service account may do of what its role permits. */
export function ofServiceAccount(standing: Standing): Standing {
  const permissions = [...standing.permissions].filter((permission) => !OF_PEOPLE.has(permission));
  return { ...standing, permissions: new Set(permissions) };
}

/** Reads a role without regard to case; null when it is none of the three. */
export function parseRole(text: string): Role | null {
  return ROLES.find((role) => role === text.toLowerCase()) ?? null;
}
