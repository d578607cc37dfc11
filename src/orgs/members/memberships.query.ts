import { type ColumnsOf, queryRow, type SqlRunner } from '../../database';
import type { OrgMember } from '../record/org-member.entity';
import type { Organization } from '../record/organization.entity';

/**
 * The role of a member. By hand: requests wait for it whenever the cached one has expired, and building and
 * reading an entity would cost more than the statement.
 */
export function selectRole(
  database: SqlRunner,
  orgId: string,
  userId: string,
): Promise<ColumnsOf<OrgMember, 'role'> | null> {
  return queryRow(database, 'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2', [
    orgId,
    userId,
  ]);
}

/** Whether there is such an organization; by hand for the same reason as {@link selectRole}. */
export async function organizationExists(database: SqlRunner, orgId: string): Promise<boolean> {
  const row = await queryRow<ColumnsOf<Organization, 'id'>>(
    database,
    'SELECT id FROM organizations WHERE id = $1',
    [orgId],
  );
  return row !== null;
}
