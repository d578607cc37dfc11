import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { SignInProof } from './sign-in-proof.entity';

/** How many proofs may be asked for by mail to an address. */
interface AskingLimits {
  readonly perHour: number;
  readonly perDay: number;
}

/**
 * How long it is until another proof may be mailed to an address. By hand: amounts and wait by the database's clock, in one
 * statement.
 * @returns seconds; null when one may be now
 */
export async function waitBeforeAsking(
  transaction: SqlRunner,
  email: string,
  { perHour, perDay }: AskingLimits,
): Promise<number | null> {
  const row = await queryRow<{ readonly wait: number | null }>(
    transaction,
    `SELECT ceil(greatest(CASE WHEN count(*) FILTER (WHERE age < 3600) >= $2
                               THEN 3600 - max(age) FILTER (WHERE age < 3600) END,
                          CASE WHEN count(*) >= $3 THEN 86400 - max(age) END))::int AS wait
       FROM (SELECT extract(epoch FROM clock_timestamp() - created_at) AS age FROM sign_in_proofs
              WHERE email = $1 AND code_digest IS NOT NULL
                AND created_at > clock_timestamp() - interval '1 day') asked`,
    [email, perHour, perDay],
  );
  return row?.wait ?? null;
}

/**
 * Counts a try to enter the code that was mailed last to an address; one that went beyond the limits, and so to nobody, leaves
 * the one before it as it is. By hand: the code is found and counted in one statement,
 * so that concurrent tries are not more than there may be.
 * @returns null when no code can be tried any more
 */
export function countTry(
  database: SqlRunner,
  email: string,
  mostTries: number,
): Promise<ColumnsOf<SignInProof, 'id' | 'codeDigest'> | null> {
  return queryRow(
    database,
    `UPDATE sign_in_proofs SET tries = tries + 1
      WHERE id = (SELECT id FROM sign_in_proofs WHERE email = $1 AND code_digest IS NOT NULL
                      AND (used_at IS NULL OR sent_at IS NOT NULL)
                   ORDER BY created_at DESC, id LIMIT 1)
        AND tries < $2 AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING id, code_digest`,
    [email, mostTries],
  );
}

/**
 * Uses a proof up. By hand: of concurrent calls, exactly one uses it.
 * @returns null for one that was used, or has expired
 */
export function useProof(
  database: SqlRunner,
  id: string,
): Promise<ColumnsOf<SignInProof, 'email' | 'orgId' | 'userId' | 'madeByUserId'> | null> {
  return queryRow(
    database,
    `UPDATE sign_in_proofs SET used_at = clock_timestamp()
      WHERE id = $1 AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING email, org_id, user_id, made_by_user_id`,
    [id],
  );
}
