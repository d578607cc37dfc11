import {
  isOfService,
  type LowestRoles,
  outranks,
  type Permission,
  permissionsOf,
  type Role,
  roleHasPermission,
} from './permissions';

/** Which role has which permission, those of extensions included. */
export class PermissionTable {
  private readonly lowest: ReadonlyMap<string, Role>;

  /** @param ofExtensions none of them has the name of one of the service's */
  constructor(private readonly ofExtensions: LowestRoles) {
    this.lowest = new Map(Object.entries(ofExtensions));
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

  /** False for a permission that nobody can have, since neither the service nor an extension has it. */
  isKnown(permission: Permission): boolean {
    return isOfService(permission) || this.lowest.has(permission);
  }
}
