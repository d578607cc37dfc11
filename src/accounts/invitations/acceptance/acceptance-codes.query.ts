import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { InvitationCode } from '../record/invitation.entity';

/** The codes that were sent to an address within a window of time. */
interface SentCodes {
  readonly count: number;
  /** Seconds until the oldest leaves the window; null when there is none. */
  readonly wait: number | null;
}

/** Counts the codes sent to an address. By hand: amount and wait by the database's clock, in one statement. */
export async function countSentCodes(
  transaction: SqlRunner,
  email: string,
  windowSeconds: number,
): Promise<SentCodes> {
  const row = await queryRow<SentCodes>(
    transaction,
    `SELECT count(*)::int AS count,
            ceil($2 - extract(epoch FROM clock_timestamp() - min(created_at)))::int AS wait
       FROM invitation_codes WHERE email = $1 AND created_at > clock_timestamp() - $2 * interval '1 second'`,
    [email, windowSeconds],
  );
  return row ?? { count: 0, wait: null };
}

/**
 * Counts a try to enter the code that was sent last. By hand: the code is found, checked and counted in one
 * statement, so that concurrent tries are not more than there may be.
 * @returns null when no code can be tried any more
 */
export function countTry(
  database: SqlRunner,
  invitation: Pick<InvitationCode, 'invitationId' | 'generation'>,
  maxTries: number,
): Promise<ColumnsOf<InvitationCode, 'id' | 'digest' | 'tries'> | null> {
  return queryRow(
    database,
    `UPDATE invitation_codes SET tries = tries + 1
      WHERE id = (SELECT id FROM invitation_codes WHERE invitation_id = $1 AND generation = $2
                   ORDER BY created_at DESC, id LIMIT 1)
        AND tries < $3 AND expires_at > clock_timestamp()
      RETURNING id, digest, tries`,
    [invitation.invitationId, invitation.generation, maxTries],
  );
}
