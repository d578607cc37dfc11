import { type LowestRoles, type Permission, type Role } from './permissions';
/** Which role has which permission, those of extensions included. */
export declare class PermissionTable {
    private readonly ofExtensions;
    private readonly lowest;
    /** @param ofExtensions none of them has the name of one of the service's */
    constructor(ofExtensions: LowestRoles);
    /** True when members with this role have the permission; nobody has one that is not there. */
    has(role: Role, permission: Permission): boolean;
    /** The permissions of a role, in the table's order, those of extensions last. */
    of(role: Role): Permission[];
    isKnown(permission: Permission): boolean;
}
