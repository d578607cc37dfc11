import { queryRow, type SqlRunner } from '../../../kernel/database';

/**
 * Whether a user was erased, or what they have in an organization is being erased. By hand: erasures belong to a module that comes
 * after this one.
 */
export async function isBeingErased(transaction: SqlRunner, orgId: string, userId: string): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1 FROM users u
      WHERE u.id = $2
        AND (u.erased_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM erasures e
                      WHERE e.user_id = u.id AND e.state = 'working' AND (e.org_id IS NULL OR e.org_id = $1)))`,
    [orgId, userId],
  );
  return row !== null;
}
