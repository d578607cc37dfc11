import { type ColumnsOf, PreparedStatement, Statement } from '../../../kernel/database';
import type { PendingMessage } from '../record/pending-message.entity';
import { COUNTED_BYTES } from '../record/text-limits';

/*
 * By hand because each statement decides and writes at once, while others change the same queue; those of every
 * delivery are prepared (docs/decisions/0004-queue-order-in-our-own-table.md).
 */

/** The columns of a message; all null where there is none. */
export type MessageColumns = Nullable<
  ColumnsOf<PendingMessage, 'id' | 'rank' | 'mode' | 'role' | 'content' | 'run' | 'markEventId'>
>;

type Nullable<Columns> = { readonly [Name in keyof Columns]: Columns[Name] | null };

/** A delivery that was recorded, by its place among those of the statement, and the next message of its queue, if that is marked. */
export type RecordedRow = MessageColumns & { readonly call: number; readonly released: boolean };

/** Marks a message ($3) that is still as it was read: rank $5, content $6, mode $7. */
export const MARK_SENDING = new PreparedStatement<{ readonly id: string }>(
  'message-marked',
  `
    WITH own AS MATERIALIZED (
      SELECT id FROM message_queues WHERE id = $1 AND fence = $2 FOR NO KEY UPDATE
    ), untimed AS (
      UPDATE message_queues q SET next_attempt_at = NULL FROM own
       WHERE q.id = own.id AND q.next_attempt_at IS NOT NULL
    )
    UPDATE pending_messages
       SET state = 'delivering', attempts = attempts + 1, mark_event_id = $4, last_error = NULL
     WHERE id = $3 AND state = 'queued' AND rank = $5 AND content = $6 AND mode = $7
       AND EXISTS (SELECT 1 FROM own)
    RETURNING id`,
);

/**
 * Records deliveries ($3) of queues ($1) by their runs ($2), one of each, and marks the next message of a queue with what it is
 * sent after ($4), if that is wanted ($5); it is taken only if it still is where it was seen, with its current content, and not
 * if it waits for the end of a run. Without a next one the lease ends, unless a message or a wake-up has come that this
 * statement does not see. The queues are locked before their messages, as by everybody who changes both.
 * @param ofLocked what becomes of a row that somebody has locked
 * @param next which other messages are not marked
 */
const recordDeliveries = (ofLocked: '' | 'SKIP LOCKED', next: string): string => `
    WITH own AS MATERIALIZED (
      SELECT c.call, q.id, q.woken, q.last_rank, c.message_id, c.mark, c.continues
        FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::boolean[])
             WITH ORDINALITY AS c (queue_id, fence, message_id, mark, continues, call)
        JOIN message_queues q ON q.id = c.queue_id AND q.fence = c.fence
       ORDER BY q.id FOR NO KEY UPDATE OF q ${ofLocked}
    ), seen AS MATERIALIZED (
      SELECT id, last_rank FROM message_queues WHERE id = ANY ($1)
    ), recorded AS (
      UPDATE pending_messages m SET state = 'delivered', delivered_at = now(), last_error = NULL
        FROM own WHERE m.id = own.message_id AND m.state = 'delivering' RETURNING own.id AS queue_id
    ), head AS MATERIALIZED (
      SELECT own.id AS queue_id, own.mark, own.continues, h.id, h.rank
        FROM own CROSS JOIN LATERAL (
          SELECT id, rank FROM pending_messages
           WHERE queue_id = own.id AND state IN ('queued', 'delivering') AND id <> own.message_id
           ORDER BY rank LIMIT 1) h
    ), free AS MATERIALIZED (
      SELECT m.id, head.mark
        FROM head JOIN recorded ON recorded.queue_id = head.queue_id
        JOIN pending_messages m ON m.id = head.id AND m.rank = head.rank
       WHERE head.continues AND m.state = 'queued' AND m.mode = 'steer' ${next}
         FOR NO KEY UPDATE OF m ${ofLocked}
    ), marked AS (
      UPDATE pending_messages m
         SET state = 'delivering', attempts = m.attempts + 1, mark_event_id = free.mark, last_error = NULL
        FROM free WHERE m.id = free.id
      RETURNING m.queue_id, m.id, m.rank, m.mode, m.role, m.content, m.run, m.mark_event_id
    ), ended AS MATERIALIZED (
      SELECT own.call, own.id AS queue_id, NOT own.woken AND own.last_rank = seen.last_rank
             AND NOT EXISTS (SELECT 1 FROM head WHERE head.queue_id = own.id) AS released
        FROM own JOIN seen ON seen.id = own.id JOIN recorded ON recorded.queue_id = own.id
    ), settled AS (
      UPDATE message_queues q
         SET failures = 0, next_attempt_at = NULL,
             claimed_until = CASE WHEN NOT ended.released THEN q.claimed_until END
        FROM ended
       WHERE q.id = ended.queue_id AND (ended.released OR q.failures > 0 OR q.next_attempt_at IS NOT NULL)
    )
    SELECT ended.call::int AS call, ended.released, m.id, m.rank, m.mode, m.role, m.content, m.run, m.mark_event_id
      FROM ended LEFT JOIN marked m ON m.queue_id = ended.queue_id`;

/** Records deliveries, and waits for whoever has locked what they are of. */
export const RECORD_DELIVERY = new PreparedStatement<RecordedRow>(
  'message-delivered',
  recordDeliveries('', ''),
);

/** As {@link RECORD_DELIVERY}, for those that need not wait; a next message that is counted is left where it is. */
export const RECORD_DELIVERIES = new PreparedStatement<RecordedRow>(
  'messages-delivered',
  recordDeliveries('SKIP LOCKED', `AND octet_length(m.content) <= ${COUNTED_BYTES}`),
);

/** The queue ($1) is the run's ($2). */
const OWNED = 'EXISTS (SELECT 1 FROM message_queues q WHERE q.id = $1 AND q.fence = $2)';

/** A message ($3) will never arrive, for a reason ($4). */
export const RECORD_FAILURE = new Statement<{ readonly id: string }>(
  `UPDATE pending_messages SET state = 'failed', failed_at = now(), last_error = $4
    WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING id`,
);

/** A message ($3) waits again, for a reason ($4); where the conversation was stopped meanwhile, it fails. */
export const REQUEUE = new Statement<{ readonly is_queued: boolean }>(
  `UPDATE pending_messages
      SET state = CASE WHEN stopped THEN 'failed' ELSE 'queued' END, failed_at = CASE WHEN stopped THEN now() END,
          last_error = CASE WHEN stopped THEN 'The conversation was stopped before the message arrived.' ELSE $4 END
    WHERE id = $3 AND state = 'delivering' AND ${OWNED} RETURNING NOT stopped AS is_queued`,
);

/** Why a message ($3) is not delivered yet ($4). */
export const RECORD_REASON = new Statement(
  `UPDATE pending_messages SET last_error = $4
    WHERE id = $3 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
);

/**
 * Messages of a queue ($1) that were delivered, after any mark ($2) or after one ($3): those behind a place ($4, $5), in
 * their order, and no more once they have so many bytes ($6).
 */
export const DELIVERED_CONTENTS = new Statement<ColumnsOf<PendingMessage, 'id' | 'rank' | 'content'>>(
  `SELECT id, rank, content FROM (
     SELECT id, rank, content,
            sum(octet_length(content)) OVER (ORDER BY rank, id) - octet_length(content) AS before FROM (
       SELECT id, rank, content FROM pending_messages
        WHERE queue_id = $1 AND state = 'delivered' AND ($2 OR mark_event_id IS NOT DISTINCT FROM $3)
          AND (rank, id) > ($4, $5)
        ORDER BY rank, id LIMIT 1000) page) sized
    WHERE before < $6 ORDER BY rank, id`,
);

/** Fails all messages of the queue, for a reason ($3). */
export const FAIL_ALL = new Statement<{ readonly id: string }>(
  `UPDATE pending_messages
      SET state = 'failed', failed_at = now(),
          last_error = CASE state WHEN 'delivering' THEN 'It is not known whether the message arrived. ' ELSE '' END || $3
    WHERE queue_id = $1 AND state IN ('queued', 'delivering') AND ${OWNED} RETURNING id`,
);

/** Ends the lease, unless a message has come after a rank ($3) or a run was requested meanwhile. */
export const RELEASE = new Statement<{ readonly released: boolean }>(
  `UPDATE message_queues
      SET claimed_until = CASE WHEN woken OR last_rank <> $3 THEN claimed_until END,
          next_attempt_at = CASE WHEN woken OR last_rank <> $3 OR $3::bigint IS NULL THEN next_attempt_at END,
          woken = false
    WHERE id = $1 AND fence = $2 RETURNING claimed_until IS NULL AS released`,
);

/**
 * Ends the lease until a time: in $3 milliseconds, or after a pause that grows from $5 to $6 with each failure; $4 says
 * that the time applies even if a run was requested meanwhile.
 */
export const RELEASE_UNTIL = new Statement<{
  readonly released: boolean;
  readonly next_attempt_at: Date | null;
}>(
  `UPDATE message_queues
      SET claimed_until = CASE WHEN woken THEN claimed_until END,
          next_attempt_at = CASE WHEN $4 OR NOT woken THEN
            now() + coalesce($3, least($5 * 2 ^ least(failures, 20), $6)) * interval '1 millisecond' END,
          failures = CASE WHEN woken THEN 0 WHEN $3 IS NULL THEN failures + 1 ELSE failures END,
          woken = false
    WHERE id = $1 AND fence = $2 RETURNING claimed_until IS NULL AS released, next_attempt_at`,
);

/** Ends the lease of a run that was interrupted ($3) or failed; returns when the next one may begin. */
export const GIVE_UP = new Statement<{ readonly again_at: Date }>(
  `UPDATE message_queues
      SET claimed_until = NULL, woken = false, failures = CASE WHEN $3 THEN failures ELSE failures + 1 END
    WHERE id = $1 AND fence = $2
    RETURNING now() + CASE WHEN $3 THEN 0 ELSE least($4 * 2 ^ least(failures - 1, 20), $5) END
              * interval '1 millisecond' AS again_at`,
);
