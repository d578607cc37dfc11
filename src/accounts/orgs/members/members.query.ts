import type { WantedText } from '../../../kernel/common';
import {
  type ColumnsOf,
  hasPart,
  hasPartIndexed,
  queryRow,
  queryRows,
  type SqlRunner,
} from '../../../kernel/database';
import type { OrgMember } from '../record/org-member.entity';
import type { OrgRole } from '../record/org-role.entity';
import type { User } from '../record/user.entity';

/** A member with the columns of the user that are shown, and the organization's own role that they have. */
export type MemberRow = ColumnsOf<OrgMember, 'userId' | 'role' | 'createdAt'> &
  ColumnsOf<User, 'kind' | 'email' | 'name' | 'disabledAt'> & {
    readonly own_role: Pick<OrgRole, 'id' | 'name' | 'permissions'> | null;
  };

/** By hand: member, user and role in one statement, without an entity for each row of a page. */
const SELECT_MEMBERS = `SELECT m.user_id, u.kind, u.email, u.name, m.role, m.created_at, u.disabled_at,
                               CASE WHEN m.own_role_id IS NOT NULL THEN
                                 (SELECT json_build_object('id', r.id, 'name', r.name, 'permissions', r.permissions)
                                    FROM org_roles r WHERE r.id = m.own_role_id) END AS own_role
                          FROM org_members m JOIN users u ON u.id = m.user_id`;

/** Which members of an organization to read. */
interface WantedMembers {
  readonly orgId: string;
  /** Part of their names or addresses; null for all. */
  readonly search: WantedText | null;
  /** The first user id of the page; null for the first page. */
  readonly from: string | null;
  readonly limit: number;
}

/** Members by user id. */
export function selectMembers(
  database: SqlRunner,
  { orgId, search, from, limit }: WantedMembers,
): Promise<MemberRow[]> {
  const found = search === null ? null : foundBy(search);
  return queryRows(
    database,
    `${SELECT_MEMBERS} WHERE m.org_id = $1 AND ($2::uuid IS NULL OR m.user_id >= $2) ${found?.condition ?? ''}
      ORDER BY m.user_id LIMIT $3`,
    [orgId, from, limit, ...(found === null ? [] : [found.parameter])],
  );
}

/** The condition of a search, of which the parameter is `$4`. */
function foundBy(search: WantedText): { condition: string; parameter: string } {
  const isIn = search.isIndexed ? hasPartIndexed : hasPart;
  return {
    condition: `AND (${isIn('u.name', '$4')} OR ${isIn('u.email', '$4')})`,
    parameter: search.isIndexed ? search.inPattern : search.text,
  };
}

export function selectMember(database: SqlRunner, orgId: string, userId: string): Promise<MemberRow | null> {
  return queryRow(database, `${SELECT_MEMBERS} WHERE m.org_id = $1 AND m.user_id = $2`, [orgId, userId]);
}
