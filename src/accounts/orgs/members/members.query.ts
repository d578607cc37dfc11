import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { OrgMember } from '../record/org-member.entity';
import type { User } from '../record/user.entity';

/** A member with the columns of the user that are shown. */
export type MemberRow = ColumnsOf<OrgMember, 'userId' | 'role' | 'createdAt'> &
  ColumnsOf<User, 'email' | 'name' | 'disabledAt'>;

/** By hand: member and user in one statement, without an entity for each row of a page. */
const SELECT_MEMBERS = `SELECT m.user_id, u.email, u.name, m.role, m.created_at, u.disabled_at
                          FROM org_members m JOIN users u ON u.id = m.user_id`;

/**
 * Members by user id.
 * @param from the first user id of the page; null for the first page
 */
export function selectMembers(
  database: SqlRunner,
  orgId: string,
  from: string | null,
  limit: number,
): Promise<MemberRow[]> {
  return queryRows(
    database,
    `${SELECT_MEMBERS} WHERE m.org_id = $1 AND ($2::uuid IS NULL OR m.user_id >= $2)
      ORDER BY m.user_id LIMIT $3`,
    [orgId, from, limit],
  );
}

export function selectMember(database: SqlRunner, orgId: string, userId: string): Promise<MemberRow | null> {
  return queryRow(database, `${SELECT_MEMBERS} WHERE m.org_id = $1 AND m.user_id = $2`, [orgId, userId]);
}
