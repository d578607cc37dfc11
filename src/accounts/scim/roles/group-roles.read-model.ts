import { queryRows, type SqlRunner } from '../../../kernel/database';

/** Of the roles of groups the highest: of the three by rank, and an own role of the organization above `member`, the oldest first. */
const HIGHEST_FIRST = `array_position(ARRAY['owner', 'admin', 'member'], g.role), r.created_at NULLS LAST, r.id`;

/** A person and their role: one of the three by its name, or one of the organization's own by its id. */
export interface GroupRole {
  readonly user_id: string;
  /** By their groups. */
  readonly role: string;
  /** Null for no member. */
  readonly present: string | null;
}

/**
 * The roles that people get by their groups, and those that they have. By hand: people, accounts, groups, own roles and members in
 * one statement. Who has been a member the longest comes last.
 */
export function selectGroupRoles(
  database: SqlRunner,
  orgId: string,
  scimUserIds: readonly string[],
): Promise<GroupRole[]> {
  return queryRows(
    database,
    `SELECT u.id AS user_id, coalesce(best.own_role_id::text, best.role, 'member') AS role,
            coalesce(m.own_role_id::text, m.role) AS present
       FROM unnest($2::uuid[]) AS wanted (id)
       JOIN scim_users s ON s.org_id = $1 AND s.id = wanted.id
       JOIN users u ON u.email = s.email
       LEFT JOIN org_members m ON m.org_id = $1 AND m.user_id = u.id
       LEFT JOIN LATERAL (
         SELECT g.role, g.own_role_id
           FROM scim_group_members gm
           JOIN scim_groups g ON g.org_id = gm.org_id AND g.id = gm.group_id
           LEFT JOIN org_roles r ON r.id = g.own_role_id
          WHERE gm.org_id = s.org_id AND gm.scim_user_id = s.id AND g.role IS NOT NULL
          ORDER BY ${HIGHEST_FIRST}
          LIMIT 1) best ON true
      ORDER BY m.created_at DESC, u.id`,
    [orgId, scimUserIds],
  );
}
