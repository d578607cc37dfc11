import { type ColumnsOf, type SqlRunner } from '../../database';
import type { OrgMember } from '../record/org-member.entity';
import type { Organization } from '../record/organization.entity';
/** An organization with the role of a member in it. */
export type OrganizationRow = ColumnsOf<Organization, 'id' | 'name' | 'createdAt'> & ColumnsOf<OrgMember, 'role'>;
/** Which organizations of a user to read. */
export interface OrganizationsOfUser {
    readonly userId: string;
    /** The only one to be read; null for all. */
    readonly onlyOrgId: string | null;
    /** The first id of the page; null for the first page. */
    readonly from: string | null;
    readonly limit: number;
}
/** A user's organizations by id. */
export declare function selectOrganizations(database: SqlRunner, { userId, onlyOrgId, from, limit }: OrganizationsOfUser): Promise<OrganizationRow[]>;
/** One of a user's organizations. */
export declare function selectOrganization(database: SqlRunner, userId: string, orgId: string): Promise<OrganizationRow | null>;
