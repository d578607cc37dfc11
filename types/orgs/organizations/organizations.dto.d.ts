import { type Role } from '../../auth';
/** Path of operations on one organization. */
export declare class OrgPath {
    org_id: string;
}
/** Query of paged lists. */
export declare class PageQuery {
    page_id: string | null;
    limit: number;
}
/** Body of `PATCH /api/organizations/{org_id}`. */
export declare class OrganizationUpdate {
    name: string;
}
/** An organization as one of its members sees it. */
export declare class OrganizationResponse {
    id: string;
    name: string;
    role: Role;
    created_at: string;
}
/** Response of `GET /api/organizations`. */
export declare class OrganizationPage {
    items: OrganizationResponse[];
    current_org_id: string | null;
    next_page_id: string | null;
}
