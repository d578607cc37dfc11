import { Statement } from '../../../kernel/database';

/* By hand because a ticket is read and deleted in one statement: it is used once, on whatever replica. */

/** Stores a ticket: digest, key, session, when what was sent ends, subject, and for how many seconds it works. */
export const ADD_TICKET = new Statement<{ readonly expires_at: Date }>(
  `INSERT INTO stream_tickets (digest, api_key_id, session_id, credential_expires_at, subject, expires_at)
   VALUES ($1, $2, $3, $4, $5, least(now() + make_interval(secs => $6), $4))
   RETURNING expires_at`,
);

/** A ticket that was taken. */
interface TakenTicket {
  readonly api_key_id: number;
  readonly session_id: number | null;
  readonly credential_expires_at: Date | null;
  readonly subject: string;
  readonly works: boolean;
}

/** Takes the ticket of a digest ($1). */
export const TAKE_TICKET = new Statement<TakenTicket>(
  `WITH taken AS (DELETE FROM stream_tickets WHERE digest = $1 RETURNING *)
   SELECT api_key_id, session_id, credential_expires_at, subject, expires_at > now() AS works FROM taken`,
);

/** Deletes tickets that nobody used. */
export const DELETE_EXPIRED_TICKETS = new Statement(
  `WITH deleted AS (DELETE FROM stream_tickets WHERE expires_at < now() RETURNING 1)
   SELECT count(*) FROM deleted`,
);
