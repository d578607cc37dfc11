import { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { Organization } from '../record/organization.entity';
import type { OrgMember } from '../record/org-member.entity';
import type { User } from '../record/user.entity';

type NewUserRow = Pick<User, 'id' | 'email' | 'name' | 'confinedToOrgId'>;
type NewMemberRow = Pick<OrgMember, 'orgId' | 'userId' | 'role'>;

/**
 * Adds a user, unless one has the address already. By hand: of two concurrent calls, exactly one adds the user,
 * and the transaction of the other goes on.
 */
export async function insertUser(transaction: SqlRunner, user: NewUserRow): Promise<boolean> {
  const inserted = await queryRows<ColumnsOf<User, 'id'>>(
    transaction,
    `INSERT INTO users (id, email, name, confined_to_org_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [user.id, user.email, user.name, user.confinedToOrgId],
  );
  return inserted.length > 0;
}

/** Adds a member, unless the user is one already. By hand for the same reason as {@link insertUser}. */
export async function insertMember(transaction: SqlRunner, member: NewMemberRow): Promise<boolean> {
  const inserted = await queryRows<ColumnsOf<OrgMember, 'userId'>>(
    transaction,
    `INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [member.orgId, member.userId, member.role],
  );
  return inserted.length > 0;
}

/** Gives members roles. By hand: however many they are, it is one statement. */
export async function updateRoles(
  transaction: SqlRunner,
  orgId: Organization['id'],
  given: readonly { readonly userId: string; readonly now: Pick<OrgMember, 'role' | 'ownRoleId'> }[],
): Promise<void> {
  await execute(
    transaction,
    `UPDATE org_members m SET role = given.role, own_role_id = given.own_role_id
       FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS given (user_id, role, own_role_id)
      WHERE m.org_id = $1 AND m.user_id = given.user_id`,
    [
      orgId,
      given.map(({ userId }) => userId),
      given.map(({ now }) => now.role),
      given.map(({ now }) => now.ownRoleId),
    ],
  );
}

/**
 * Makes the organization current for a user who has no current one, or one they left. By hand: condition and
 * change are one statement.
 */
export async function fillCurrentOrganization(
  transaction: SqlRunner,
  orgId: Organization['id'],
  userId: User['id'],
): Promise<void> {
  await execute(
    transaction,
    `UPDATE users u SET current_org_id = $1
      WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM org_members m
                                     WHERE m.user_id = u.id AND m.org_id = u.current_org_id)`,
    [orgId, userId],
  );
}

/**
 * Disables a user, who keeps the time of the first call. By hand: the time is the database's, and read and
 * change are one statement.
 */
export function disableUser(
  transaction: SqlRunner,
  email: string,
): Promise<(ColumnsOf<User, 'id'> & { readonly disabled_at: Date }) | null> {
  return queryRow(
    transaction,
    `UPDATE users SET disabled_at = coalesce(disabled_at, now()) WHERE email = $1 RETURNING id, disabled_at`,
    [email],
  );
}
