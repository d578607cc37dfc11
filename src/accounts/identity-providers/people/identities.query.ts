import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { UserIdentity } from '../record/user-identity.entity';

/**
 * Writes down whose identity a subject is, unless either has another one. By hand: of two concurrent sign-ins, one writes, and
 * the transaction of the other goes on.
 */
export async function insertIdentity(
  transaction: SqlRunner,
  { providerId, subject, userId }: Pick<UserIdentity, 'providerId' | 'subject' | 'userId'>,
): Promise<boolean> {
  const inserted = await queryRows<ColumnsOf<UserIdentity, 'userId'>>(
    transaction,
    `INSERT INTO user_identities (provider_id, subject, user_id) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [providerId, subject, userId],
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
