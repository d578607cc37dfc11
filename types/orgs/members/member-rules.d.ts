import { type Role } from '../../auth';
/** True when a member of role `actor` may give that role to others (docs/contract.md#member-rules). */
export declare function mayGive(actor: Role, role: Role): boolean;
/**
 * True when a member of role `actor` may turn another's role `from` into `to`
 * (docs/contract.md#member-rules).
 */
export declare function mayChangeRole(actor: Role, from: Role, to: Role): boolean;
/** True when a member of role `actor` may remove another of role `target` (docs/contract.md#member-rules). */
export declare function mayRemove(actor: Role, target: Role): boolean;
