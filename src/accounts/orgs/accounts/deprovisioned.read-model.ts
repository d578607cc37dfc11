import { queryRow, type SqlRunner } from '../../../kernel/database';

/**
 * Whether the directory of an organization has switched a user off, or their address, while it has a token of one
 * (docs/scim.md#switched-off). An address of which it has told as of a person decides; any other one may be another address of
 * somebody. By hand: the tables belong to the module of directories, which comes after this one.
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
      WHERE u.id = $2 AND EXISTS (SELECT FROM scim_tokens t WHERE t.org_id = $1)
        AND CASE WHEN EXISTS (SELECT FROM scim_users s WHERE s.org_id = $1 AND s.email = u.email)
            THEN EXISTS (SELECT FROM scim_users s WHERE s.org_id = $1 AND s.email = u.email AND NOT s.active)
            ELSE EXISTS (
              SELECT FROM scim_users s
               WHERE s.org_id = $1 AND NOT s.active AND s.deleted_at IS NULL
                 AND (lower(s.resource->>'userName') = u.email
                   OR EXISTS (SELECT FROM jsonb_path_query(s.resource, '$.emails[*].value') e
                               WHERE lower(e #>> '{}') = u.email))) END`,
    [orgId, userId],
  );
  return row !== null;
}
