import type { Membership } from '../../../kernel/auth';
import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { OrgMember } from '../record/org-member.entity';

/**
 * The role of a member who is not disabled. By hand: requests wait for it whenever the cached one has expired, and
 * building and reading an entity would cost more than the statement.
 */
export function selectRole(
  database: SqlRunner,
  orgId: string,
  userId: string,
): Promise<ColumnsOf<OrgMember, 'role'> | null> {
  return queryRow(
    database,
    `SELECT m.role
       FROM org_members m
       JOIN users u ON u.id = m.user_id
      WHERE m.org_id = $1 AND m.user_id = $2 AND u.disabled_at IS NULL`,
    [orgId, userId],
  );
}

/**
 * Those of some users who are members of the organizations named with them, and not disabled. By hand: pairs are
 * looked up, and twice a second while connections are open.
 */
export function selectMembers(
  database: SqlRunner,
  memberships: readonly Membership[],
): Promise<readonly ColumnsOf<OrgMember, 'userId' | 'orgId' | 'role'>[]> {
  return queryRows(
    database,
    `SELECT m.user_id, m.org_id, m.role
       FROM unnest($1::uuid[], $2::uuid[]) AS n (user_id, org_id)
       JOIN org_members m ON m.user_id = n.user_id AND m.org_id = n.org_id
       JOIN users u ON u.id = m.user_id
      WHERE u.disabled_at IS NULL`,
    [memberships.map(({ userId }) => userId), memberships.map(({ orgId }) => orgId)],
  );
}
