import { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { AccountState } from '../../orgs';
import type { UserIdentity } from '../record/user-identity.entity';

/**
 * Writes down whose identity a subject is, unless either has another one. By hand: of two concurrent sign-ins, one writes, and
 * the transaction of the other goes on.
 */
export async function insertIdentity(
  transaction: SqlRunner,
  {
    providerId,
    subject,
    userId,
    boundByUserId,
  }: Pick<UserIdentity, 'providerId' | 'subject' | 'userId' | 'boundByUserId'>,
): Promise<boolean> {
  const inserted = await queryRows<ColumnsOf<UserIdentity, 'userId'>>(
    transaction,
    `INSERT INTO user_identities (provider_id, subject, user_id, bound_by_user_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [providerId, subject, userId, boundByUserId],
  );
  return inserted.length > 0;
}

/** Whose a domain is that was verified; null for nobody's. By hand: it is read at every sign-in, without an entity. */
export async function selectDomainOwner(database: SqlRunner, domain: string): Promise<string | null> {
  const row = await queryRow<{ readonly org_id: string }>(
    database,
    `SELECT org_id FROM identity_domains WHERE domain = $1 AND verified_at IS NOT NULL`,
    [domain],
  );
  return row?.org_id ?? null;
}

/**
 * Deletes whom the providers of an organization know as a user, or by what the user bound to a service account, and notes that they
 * have ended. By hand: which providers these are is
 * asked in the statement.
 */
export async function deleteIdentitiesIn(
  transaction: SqlRunner,
  orgId: string,
  { id, email }: Pick<AccountState, 'id' | 'email'>,
): Promise<void> {
  await execute(
    transaction,
    `WITH ended AS (
       DELETE FROM user_identities i USING identity_providers p
        WHERE p.id = i.provider_id AND p.org_id = $1 AND (i.user_id = $2 OR i.bound_by_user_id = $2)
       RETURNING i.provider_id, i.subject, i.user_id)
     INSERT INTO ended_identities (provider_id, subject, ended_at, email)
     SELECT provider_id, subject, clock_timestamp(), CASE WHEN user_id = $2 THEN $3 END FROM ended
         ON CONFLICT (provider_id, subject) DO UPDATE SET ended_at = excluded.ended_at, email = excluded.email`,
    [orgId, id, email],
  );
}

/** Forgets when subjects ended that service accounts had, but for the last ones of each provider. By hand: TypeORM cannot delete in an order. */
export async function deleteSurplusUnbound(
  transaction: SqlRunner,
  providerId: string,
  most: number,
): Promise<void> {
  await execute(
    transaction,
    `DELETE FROM ended_identities
      WHERE provider_id = $1
        AND subject IN (SELECT subject FROM ended_identities WHERE provider_id = $1 AND email IS NULL
                         ORDER BY ended_at DESC OFFSET $2)`,
    [providerId, most],
  );
}

/**
 * Moves a time of an identity forward. By hand: one statement, in which the later one of two that are concurrent stays.
 * @returns whose it is; null for nobody's
 */
export async function moveIdentityTime(
  database: SqlRunner,
  column: 'claims_issued_at' | 'signed_out_at',
  { providerId, subject }: Pick<UserIdentity, 'providerId' | 'subject'>,
  to: Date,
): Promise<ColumnsOf<UserIdentity, 'userId' | 'boundByUserId'> | null> {
  return queryRow(
    database,
    `UPDATE user_identities SET ${column} = greatest(${column}, $3)
      WHERE provider_id = $1 AND subject = $2 RETURNING user_id, bound_by_user_id`,
    [providerId, subject, to],
  );
}
