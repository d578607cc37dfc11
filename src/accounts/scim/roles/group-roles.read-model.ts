import type { AssignedRole } from '../../orgs';
import type { Role } from '../../../kernel/auth';
import { queryRow, queryRows, type SqlRunner } from '../../../kernel/database';

/** Of the roles of groups the highest: of the three by rank, and an own role of the organization above `member`, the oldest first. */
const HIGHEST_FIRST = `array_position(ARRAY['owner', 'admin', 'member'], g.role), r.created_at NULLS LAST, r.id`;

/** The roles that people get by their groups, by user. By hand: people, accounts, groups and own roles in one statement. */
export async function selectGroupRoles(
  database: SqlRunner,
  orgId: string,
  scimUserIds: readonly string[],
): Promise<ReadonlyMap<string, AssignedRole>> {
  const rows = await queryRows<{ user_id: string; role: Role | null; own_role_id: string | null }>(
    database,
    `SELECT u.id AS user_id, best.role, best.own_role_id
       FROM unnest($2::uuid[]) AS wanted (id)
       JOIN scim_users s ON s.org_id = $1 AND s.id = wanted.id
       JOIN users u ON u.email = s.email
       LEFT JOIN LATERAL (
         SELECT g.role, g.own_role_id
           FROM scim_group_members gm
           JOIN scim_groups g ON g.org_id = gm.org_id AND g.id = gm.group_id
           LEFT JOIN org_roles r ON r.id = g.own_role_id
          WHERE gm.org_id = s.org_id AND gm.scim_user_id = s.id AND g.role IS NOT NULL
          ORDER BY ${HIGHEST_FIRST}
          LIMIT 1) best ON true`,
    [orgId, scimUserIds],
  );
  return new Map(
    rows.map(({ user_id: userId, role, own_role_id: ownRoleId }) => [
      userId,
      { role: role ?? 'member', ownRoleId },
    ]),
  );
}

/** Whether an organization has a role of its own. By hand: the table belongs to the module of organizations. */
export async function ownRoleExists(database: SqlRunner, orgId: string, id: string): Promise<boolean> {
  return (
    (await queryRow(database, `SELECT 1 FROM org_roles WHERE org_id = $1 AND id = $2`, [orgId, id])) !== null
  );
}
