import type { Role } from '../../../kernel/auth';
import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { Organization } from '../record/organization.entity';
import type { User } from '../record/user.entity';

/** An organization as operators see it. */
export interface ListedOrganization extends ColumnsOf<Organization, 'name' | 'createdAt' | 'endingAt'> {
  readonly org_id: string;
  /** Their addresses. */
  readonly owners: readonly string[];
  readonly members: number;
}

/** A user as operators see them. */
export interface ListedUser extends ColumnsOf<User, 'email' | 'name' | 'createdAt' | 'disabledAt'> {
  readonly user_id: string;
  readonly organizations: readonly { readonly org_id: string; readonly role: Role }[];
}

/** All organizations, the oldest first. By hand: members are counted, and owners named, in one statement. */
export function listOrganizations(database: SqlRunner): Promise<ListedOrganization[]> {
  return queryRows(
    database,
    `SELECT o.id AS org_id, o.name, o.created_at, o.ending_at,
            coalesce(array_agg(u.email ORDER BY m.created_at, u.email) FILTER (WHERE m.role = 'owner'), '{}') AS owners,
            count(m.user_id)::int AS members
       FROM organizations o
       LEFT JOIN org_members m ON m.org_id = o.id
       LEFT JOIN users u ON u.id = m.user_id
      GROUP BY o.id
      ORDER BY o.created_at, o.id`,
  );
}

/** All users, the oldest first. By hand: each comes with their organizations, in one statement. */
export function listUsers(database: SqlRunner): Promise<ListedUser[]> {
  return queryRows(
    database,
    `SELECT u.id AS user_id, u.email, u.name, u.created_at, u.disabled_at,
            coalesce(jsonb_agg(jsonb_build_object('org_id', m.org_id, 'role', m.role) ORDER BY m.created_at, m.org_id)
                       FILTER (WHERE m.org_id IS NOT NULL), '[]') AS organizations
       FROM users u
       LEFT JOIN org_members m ON m.user_id = u.id
      GROUP BY u.id
      ORDER BY u.created_at, u.id`,
  );
}

/**
 * The owner who has been a member for longest, of those who are not disabled; null where there is none. By hand: one is found
 * among the members of all organizations.
 */
export function selectFirstOwner(database: SqlRunner): Promise<ColumnsOf<User, 'id'> | null> {
  return queryRow(
    database,
    `SELECT u.id
       FROM org_members m
       JOIN users u ON u.id = m.user_id
      WHERE m.role = 'owner' AND u.disabled_at IS NULL
      ORDER BY m.created_at, u.created_at, u.id
      LIMIT 1`,
  );
}
