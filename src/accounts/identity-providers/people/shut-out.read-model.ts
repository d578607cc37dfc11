import { queryRow, type SqlRunner } from '../../../kernel/database';
import type { UserIdentity } from '../record/user-identity.entity';

/**
 * Whether the directory of an organization, while it has a token of one, has switched off whom a provider knows by a subject, whatever
 * their address is by now (docs/scim.md#switched-off): it was the subject of an account that is switched off, or the directory has it as
 * the name that the provider gave (`externalId`). By hand: the tables of directories belong to the module that comes after this one.
 */
export async function isSubjectShutOut(
  transaction: SqlRunner,
  orgId: string,
  { providerId, subject }: Pick<UserIdentity, 'providerId' | 'subject'>,
): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1
       FROM scim_users s
      WHERE s.org_id = $1 AND NOT s.active AND EXISTS (SELECT FROM scim_tokens t WHERE t.org_id = $1)
        AND (s.email = (SELECT email FROM ended_identities WHERE provider_id = $2 AND subject = $3)
          OR (s.deleted_at IS NULL AND s.resource->>'externalId' = $3))
      LIMIT 1`,
    [orgId, providerId, subject],
  );
  return row !== null;
}
