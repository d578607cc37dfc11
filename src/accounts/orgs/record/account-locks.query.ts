import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { Organization } from './organization.entity';
import type { User } from './user.entity';

/** Locks both rows, the organization's first. By hand: one statement instead of two in every call that invites. */
export function lockOrganizationAndUser(
  transaction: SqlRunner,
  orgId: Organization['id'],
  userId: User['id'],
): Promise<ColumnsOf<User, 'email'> | null> {
  return queryRow(
    transaction,
    `SELECT u.email FROM organizations o, users u WHERE o.id = $1 AND u.id = $2
        FOR NO KEY UPDATE OF o, u`,
    [orgId, userId],
  );
}
