import { execute, queryRows, type SqlRunner } from '../../../kernel/database';
import type { PersonalScope } from '../../personal-data';

/** The providers that are meant: those of an organization ($2) or all, and those of the installation with the account ($3). By hand: it is asked in each statement. */
const OF_SCOPE = `($2::uuid IS NULL OR p.org_id = $2 OR ($3 AND p.org_id IS NULL))`;

/** As whom providers know a user. By hand: with the names of these, without an entity for each. */
export function selectOwnIdentities(
  database: SqlRunner,
  { userId, orgId, ofAccount }: PersonalScope,
): Promise<{ readonly provider: string; readonly subject: string; readonly created_at: Date }[]> {
  return queryRows(
    database,
    `SELECT p.name AS provider, i.subject, i.created_at
       FROM user_identities i JOIN identity_providers p ON p.id = i.provider_id
      WHERE i.user_id = $1 AND ${OF_SCOPE} ORDER BY p.id`,
    [userId, orgId, ofAccount],
  );
}

/**
 * Forgets as whom providers know a user, and of which address the account was whose identities have ended. Tokens that were issued
 * before are refused as before: their subjects stay where that is noted. By hand for the same reason.
 */
export async function eraseIdentities(
  database: SqlRunner,
  { userId, orgId, ofAccount, email }: PersonalScope,
): Promise<void> {
  await execute(
    database,
    `WITH ended AS (
       DELETE FROM user_identities i USING identity_providers p
        WHERE p.id = i.provider_id AND i.user_id = $1 AND ${OF_SCOPE}
       RETURNING i.provider_id, i.subject)
     INSERT INTO ended_identities (provider_id, subject, ended_at)
     SELECT provider_id, subject, clock_timestamp() FROM ended
         ON CONFLICT (provider_id, subject) DO UPDATE SET ended_at = excluded.ended_at, email = NULL`,
    [userId, orgId, ofAccount],
  );
  await execute(
    database,
    `UPDATE ended_identities e SET email = NULL
       FROM identity_providers p WHERE p.id = e.provider_id AND e.email = $1 AND ${OF_SCOPE}`,
    [email, orgId, ofAccount],
  );
}
