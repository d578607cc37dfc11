/** The roles of an organization's members, in rising rank (docs/contract.md#permissions). */
export declare const ROLES: readonly ["member", "admin", "owner"];
export type Role = (typeof ROLES)[number];
/** Which role has which permission of the service: the only such table (docs/contract.md#permissions). */
declare const HOLDERS: {
    readonly manage_application_settings: readonly ["member", "admin", "owner"];
    readonly view_org_settings: readonly ["member", "admin", "owner"];
    readonly manage_api_keys: readonly ["member", "admin", "owner"];
    readonly view_automations: readonly ["member", "admin", "owner"];
    readonly edit_org_settings: readonly ["admin", "owner"];
    readonly view_org_conversations: readonly ["admin", "owner"];
    readonly invite_user_to_organization: readonly ["admin", "owner"];
    readonly 'change_user_role:member': readonly ["admin", "owner"];
    readonly 'change_user_role:admin': readonly ["admin", "owner"];
    readonly manage_webhooks: readonly ["admin", "owner"];
    readonly manage_automations: readonly ["admin", "owner"];
    readonly view_audit_log: readonly ["admin", "owner"];
    readonly 'change_user_role:owner': readonly ["owner"];
    readonly change_organization_name: readonly ["owner"];
    readonly delete_organization: readonly ["owner"];
};
/** A permission of the service itself. */
export type ServicePermission = keyof typeof HOLDERS;
/** A permission of an extension, such as `acme:manage_notes`. */
export type ExtensionPermission = `${string}:${string}`;
export type Permission = ServicePermission | ExtensionPermission;
/** Permissions of extensions, each with the lowest role that has it; higher ones have it, too. */
export type LowestRoles = Readonly<Record<ExtensionPermission, Role>>;
/** True when members with this role have the permission of the service. */
export declare function roleHasPermission(role: Role, permission: ServicePermission): boolean;
/** The permissions of the service that a role has, in the table's order. */
export declare function permissionsOf(role: Role): ServicePermission[];
/** Whether a permission is the service's own. */
export declare function isOfService(permission: string): permission is ServicePermission;
/** True when the first role ranks above the second one. */
export declare function outranks(role: Role, other: Role): boolean;
/** Reads a role without regard to case; null when it is none of the three. */
export declare function parseRole(text: string): Role | null;
export {};
