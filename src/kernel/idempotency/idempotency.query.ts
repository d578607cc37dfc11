import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../database';
import type { IdempotencyKey } from './idempotency-key.entity';

/** How long a key is kept, as SQL. */
export const LIFETIME = `interval '24 hours'`;

/** No operation with a key takes longer: one that has not ended by then died with its process. */
const LONGEST_REQUEST = `interval '3 minutes'`;

/** What identifies a request. */
type RequestColumns = Pick<IdempotencyKey, 'userId' | 'keyDigest' | 'requestDigest' | 'scopeId'>;

/** An earlier request with the key, and whether it should have ended long ago. */
export type EarlierRow = ColumnsOf<IdempotencyKey, 'requestDigest' | 'state' | 'status' | 'answer'> & {
  readonly overdue: boolean;
};

/**
 * Claims a key that is new, or kept longer than its lifetime. By hand: of concurrent requests with the key,
 * one statement decides which is the first.
 * @returns false when an earlier request has the key
 */
export async function claimKey(
  database: SqlRunner,
  { userId, keyDigest, requestDigest, scopeId }: RequestColumns,
): Promise<boolean> {
  const claimed = await queryRows<ColumnsOf<IdempotencyKey, 'state'>>(
    database,
    `INSERT INTO idempotency_keys AS k (user_id, key_digest, request_digest, scope_id, state)
     VALUES ($1, $2, $3, $4, 'working')
     ON CONFLICT (user_id, key_digest) DO UPDATE
       SET request_digest = $3, scope_id = $4, state = 'working', status = NULL, answer = NULL, created_at = now()
       WHERE k.created_at < now() - ${LIFETIME}
     RETURNING state`,
    [userId, keyDigest, requestDigest, scopeId],
  );
  return claimed.length > 0;
}

/** The earlier request with a key. By hand: its age is measured with the database's clock, which set it. */
export function selectEarlier(
  database: SqlRunner,
  { userId, keyDigest }: Pick<RequestColumns, 'userId' | 'keyDigest'>,
): Promise<EarlierRow | null> {
  return queryRow(
    database,
    `SELECT request_digest, state, status, answer, created_at < now() - ${LONGEST_REQUEST} AS overdue
       FROM idempotency_keys WHERE user_id = $1 AND key_digest = $2 AND created_at >= now() - ${LIFETIME}`,
    [userId, keyDigest],
  );
}
