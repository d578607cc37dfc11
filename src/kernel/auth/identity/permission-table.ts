import {
  type CredentialRules,
  isOfService,
  type LowestRoles,
  outranks,
  type Permission,
  permissionsOf,
  type Role,
  roleHasPermission,
  ROLES,
  type Standing,
} from './permissions';

/** Which role has which permission, those of extensions included. */
export class PermissionTable {
  private readonly lowest: ReadonlyMap<string, Role>;
  private readonly sets: ReadonlyMap<Role, ReadonlySet<Permission>>;

  /** @param ofExtensions none of them has the name of one of the service's */
  constructor(private readonly ofExtensions: LowestRoles) {
    this.lowest = new Map(Object.entries(ofExtensions));
    this.sets = new Map(ROLES.map((role) => [role, new Set(this.of(role))]));
  }

  /** True when members with this role have the permission; false for an unknown one. */
  has(role: Role, permission: Permission): boolean {
    if (isOfService(permission)) return roleHasPermission(role, permission);
    const lowest = this.lowest.get(permission);
    return lowest !== undefined && !outranks(lowest, role);
  }

  /** The permissions of a role, in the table's order, those of extensions last. */
  of(role: Role): Permission[] {
    const names = Object.keys(this.ofExtensions) as (keyof LowestRoles)[];
    return [...permissionsOf(role), ...names.filter((name) => this.has(role, name))];
  }

  /**
   * What a member with a role may do.
   * @param ownRole the permissions of the organization's own role that they have instead; null without one. Unknown ones,
   *   of an extension that is gone, count for nothing
   */
  standing(role: Role, ownRole: readonly string[] | null, rules: CredentialRules | null = null): Standing {
    const ofRole = this.sets.get(role) ?? new Set<Permission>();
    return { role, permissions: ownRole === null ? ofRole : new Set(this.known(ownRole)), rules };
  }

  /** Those of some permissions that there are, in the table's order. */
  known(names: Iterable<string>): Permission[] {
    const wanted = new Set<string>(names);
    return this.of('owner').filter((permission) => wanted.has(permission));
  }

  /** False for a permission that nobody can have, since neither the service nor an extension has it. */
  isKnown(permission: Permission): boolean {
    return isOfService(permission) || this.lowest.has(permission);
  }
}
