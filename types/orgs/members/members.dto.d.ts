import { type Permission, type Role } from '../../auth';
import { OrgPath } from '../organizations/organizations.dto';
declare const STATUSES: readonly ["active", "disabled"];
/** Path of operations on one member. */
export declare class MemberPath extends OrgPath {
    user_id: string;
}
/** Body of `PATCH …/members/{user_id}`. */
export declare class MemberUpdate {
    role: string;
}
/** A member of an organization. */
export declare class OrgMemberResponse {
    user_id: string;
    email: string;
    name: string | null;
    role: Role;
    created_at: string;
    status: (typeof STATUSES)[number];
}
/** Response of `GET …/members`. */
export declare class OrgMemberPage {
    items: OrgMemberResponse[];
    next_page_id: string | null;
}
/** Response of `GET …/{org_id}/me`. */
export declare class OwnMembership extends OrgMemberResponse {
    org_id: string;
    permissions: Permission[];
}
/** Response of `DELETE …/members/{user_id}`. */
export declare class MemberRemoved {
    message: string;
}
export {};
