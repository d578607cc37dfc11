import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { OrgMember } from '../record/org-member.entity';
import type { Organization } from '../record/organization.entity';

/** An organization with the role of a member in it. */
export type OrganizationRow = ColumnsOf<Organization, 'id' | 'name' | 'createdAt'> &
  ColumnsOf<OrgMember, 'role'>;

/** Which organizations of a user to read. */
interface OrganizationsOfUser {
  readonly userId: string;
  /** The only one to be read; null for all. */
  readonly onlyOrgId: string | null;
  /** The first id of the page; null for the first page. */
  readonly from: string | null;
  readonly limit: number;
}

/** By hand: organization and membership in one statement, without an entity for each row of a page. */
const SELECT_ORGANIZATIONS = `SELECT o.id, o.name, m.role, o.created_at
                                FROM org_members m JOIN organizations o ON o.id = m.org_id`;

/** A user's organizations by id. */
export function selectOrganizations(
  database: SqlRunner,
  { userId, onlyOrgId, from, limit }: OrganizationsOfUser,
): Promise<OrganizationRow[]> {
  return queryRows(
    database,
    `${SELECT_ORGANIZATIONS}
      WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.org_id = $2) AND ($3::uuid IS NULL OR m.org_id >= $3)
      ORDER BY m.org_id LIMIT $4`,
    [userId, onlyOrgId, from, limit],
  );
}
