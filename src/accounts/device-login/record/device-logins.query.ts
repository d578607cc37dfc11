import { type ColumnsOf, execute, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { DeviceLogin } from './device-login.entity';

/** The longest that a device is ever told to wait: clients wait no longer, whatever they are told. */
const MAX_INTERVAL_SECONDS = 30;

/** What was decided about a login, and whatever its key needs. */
export type PolledLogin = ColumnsOf<
  DeviceLogin,
  | 'id'
  | 'clientName'
  | 'scopes'
  | 'address'
  | 'intervalSeconds'
  | 'isApproved'
  | 'userId'
  | 'orgId'
  | 'apiKeyId'
  | 'credentialExpiresAt'
  | 'keyExpiresAt'
  | 'usedAt'
> & {
  readonly has_expired: boolean;
  /** Whether the device should have waited longer since it asked before. */
  readonly is_too_early: boolean;
};

/**
 * Notes that a device asks; one that is too early has to wait five seconds longer from here on, while nobody has decided. By hand:
 * what is read and what is written are one step, by the database's clock. Half a second is what requests may overtake one another by.
 * @returns null for an unknown code
 */
export function pollLogin(database: SqlRunner, deviceCodeDigest: string): Promise<PolledLogin | null> {
  return queryRow(
    database,
    `WITH found AS (
       SELECT id, is_approved IS NULL AND
              coalesce(last_polled_at > clock_timestamp() - make_interval(secs => interval_seconds - 0.5), false) AS is_too_early
         FROM device_logins WHERE device_code_digest = $1 FOR UPDATE)
     UPDATE device_logins d
        SET last_polled_at = clock_timestamp(),
            interval_seconds = CASE WHEN f.is_too_early THEN least(d.interval_seconds + 5, $2) ELSE d.interval_seconds END
       FROM found f WHERE d.id = f.id
     RETURNING d.id, d.client_name, d.scopes, d.address, d.interval_seconds, d.is_approved, d.user_id, d.org_id, d.api_key_id,
               d.credential_expires_at, d.key_expires_at, d.used_at, d.expires_at <= clock_timestamp() AS has_expired,
               f.is_too_early`,
    [deviceCodeDigest, MAX_INTERVAL_SECONDS],
  );
}

/**
 * Uses an approved login up, unless the key of who approved it was revoked. By hand: of concurrent calls, exactly one does.
 * @returns false for one that was used, or is approved no longer
 */
export async function useLogin(transaction: SqlRunner, id: string): Promise<boolean> {
  const used = await execute(
    transaction,
    `UPDATE device_logins SET used_at = clock_timestamp()
      WHERE id = $1 AND is_approved AND api_key_id IS NOT NULL AND used_at IS NULL AND expires_at > clock_timestamp()`,
    [id],
  );
  return used === 1;
}

/** What is decided about a login. */
export type Decision = Pick<
  DeviceLogin,
  'isApproved' | 'userId' | 'orgId' | 'apiKeyId' | 'credentialExpiresAt' | 'keyExpiresAt'
>;

/**
 * Decides about a login, once. By hand: of concurrent decisions the first one counts, by the database's clock.
 * @returns false where somebody has decided, or it has expired
 */
export async function decideLogin(database: SqlRunner, id: string, decision: Decision): Promise<boolean> {
  const { isApproved, userId, orgId, apiKeyId, credentialExpiresAt, keyExpiresAt } = decision;
  const decided = await execute(
    database,
    `UPDATE device_logins
        SET decided_at = clock_timestamp(), is_approved = $2, user_id = $3, org_id = $4, api_key_id = $5,
            credential_expires_at = $6, key_expires_at = $7
      WHERE id = $1 AND decided_at IS NULL AND expires_at > clock_timestamp()`,
    [id, isApproved, userId, orgId, apiKeyId, credentialExpiresAt, keyExpiresAt],
  );
  return decided === 1;
}

/** How many codes a user and an address may still enter. */
export interface Tries {
  readonly count: number;
  readonly left_seconds: number;
}

/**
 * Counts a code that is entered, as if it were wrong, for ten minutes from the first one. By hand: concurrent tries are not more
 * than there may be, by the clock that all replicas share; sorted, so that two lock rows in the same order.
 */
export function countTry(database: SqlRunner, subjects: readonly string[]): Promise<Tries[]> {
  return queryRows(
    database,
    `INSERT INTO device_code_tries AS t (subject, count, ends_at)
     SELECT n.subject, 1, clock_timestamp() + interval '10 minutes' FROM unnest($1::text[]) AS n (subject) ORDER BY 1
     ON CONFLICT (subject) DO UPDATE
       SET count = CASE WHEN t.ends_at > clock_timestamp() THEN least(t.count + 1, 1000) ELSE 1 END,
           ends_at = CASE WHEN t.ends_at > clock_timestamp() THEN t.ends_at ELSE EXCLUDED.ends_at END
     RETURNING count, ceil(extract(epoch FROM ends_at - clock_timestamp()))::int AS left_seconds`,
    [subjects],
  );
}

/** Takes a try back, which was no wrong one. By hand: what others count meanwhile stays. */
export async function takeTryBack(database: SqlRunner, subjects: readonly string[]): Promise<void> {
  await execute(
    database,
    `UPDATE device_code_tries SET count = greatest(count - 1, 0)
      WHERE subject IN (SELECT subject FROM device_code_tries WHERE subject = ANY ($1) ORDER BY subject FOR UPDATE)`,
    [subjects],
  );
}
