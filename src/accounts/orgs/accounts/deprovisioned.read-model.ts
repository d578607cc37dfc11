import { queryRow, type SqlRunner } from '../../../kernel/database';

/**
 * Whether the directory of an organization has switched a user off, or their address, while it has a token of one
 * (docs/scim.md#switched-off). By hand: the tables belong to the module of directories, which comes after this one.
 */
export async function isDeprovisioned(
  transaction: SqlRunner,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1
       FROM users u
       JOIN scim_users s ON s.org_id = $1 AND s.email = u.email
      WHERE u.id = $2 AND NOT s.active AND EXISTS (SELECT FROM scim_tokens t WHERE t.org_id = $1)`,
    [orgId, userId],
  );
  return row !== null;
}
