import { PreparedStatement } from '../../database';

/** The columns of a message; all null where there is none. */
export interface MessageColumns {
  readonly id: string | null;
  readonly rank: string | null;
  readonly role: string | null;
  readonly content: string | null;
  readonly run: boolean | null;
  readonly mark_event_id: string | null;
}

interface LookColumns extends MessageColumns {
  readonly closed_reason: string | null;
  readonly wait_ms: number | null;
  readonly conversation_id: string | null;
  readonly sandbox_id: string | null;
  readonly last_rank: string;
  readonly state: 'queued' | 'delivering' | null;
}

export interface DeliveredColumns extends MessageColumns {
  readonly noted: boolean;
  readonly released: boolean;
}

/** The queue ($1), its conversation, and its first message: one in doubt before all others. */
export const READ_HEAD = new PreparedStatement<LookColumns>(
  'message-queue-look',
  `
    SELECT coalesce(q.closed_reason, CASE WHEN NOT c.by_member THEN $2 END) AS closed_reason,
           ceil(extract(epoch FROM q.next_attempt_at - now()) * 1000)::float8 AS wait_ms,
           CASE WHEN c.is_ready THEN c.id END AS conversation_id, c.sandbox_id, q.last_rank,
           m.id, m.rank, m.state, m.role, m.content, m.run, m.mark_event_id
      FROM message_queues q
      LEFT JOIN LATERAL (
        SELECT id, sandbox_id, start_state = 'ready' AND deleted_at IS NULL AS is_ready,
               EXISTS (SELECT 1 FROM org_members m
                        WHERE m.org_id = v.org_id AND m.user_id = v.created_by_user_id) AS by_member
          FROM conversations v WHERE v.id = q.conversation_id
      ) c ON true
      LEFT JOIN LATERAL (
        SELECT * FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering')
         ORDER BY state = 'delivering' DESC, rank LIMIT 1
      ) m ON true
     WHERE q.id = $1`,
);

/** Marks a message ($3) that is still as it was read: rank $5, content $6. */
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
     WHERE id = $3 AND state = 'queued' AND rank = $5 AND content = $6 AND EXISTS (SELECT 1 FROM own)
    RETURNING id`,
);

/**
 * Notes a delivery ($3) and marks the next message, if that is wanted ($5); it is taken only if it still is
 * where it was seen, with the content that it has by then. Without a next one the claim ends, unless a message
 * or a wake-up has come that this statement does not see. The queue is locked before its messages, as by
 * everybody who changes both.
 */
export const RECORD_DELIVERY = new PreparedStatement<DeliveredColumns>(
  'message-delivered',
  `
    WITH own AS MATERIALIZED (
      SELECT id, woken, last_rank FROM message_queues WHERE id = $1 AND fence = $2 FOR NO KEY UPDATE
    ), seen AS MATERIALIZED (
      SELECT last_rank FROM message_queues WHERE id = $1
    ), noted AS (
      UPDATE pending_messages SET state = 'delivered', delivered_at = now(), last_error = NULL
       WHERE id = $3 AND state = 'delivering' AND EXISTS (SELECT 1 FROM own) RETURNING id
    ), head AS MATERIALIZED (
      SELECT id, rank FROM pending_messages
       WHERE queue_id = $1 AND state IN ('queued', 'delivering') AND id <> $3 ORDER BY rank LIMIT 1
    ), marked AS (
      UPDATE pending_messages m
         SET state = 'delivering', attempts = m.attempts + 1, mark_event_id = $4, last_error = NULL
        FROM noted, head
       WHERE $5 AND m.id = head.id AND m.rank = head.rank AND m.state = 'queued'
      RETURNING m.id, m.rank, m.role, m.content, m.run, m.mark_event_id
    ), ended AS (
      SELECT NOT EXISTS (SELECT 1 FROM head) AND NOT woken AND own.last_rank = seen.last_rank AS released
        FROM own, seen
    ), settled AS (
      UPDATE message_queues q
         SET failures = 0, next_attempt_at = NULL,
             claimed_until = CASE WHEN NOT ended.released THEN q.claimed_until END
        FROM ended, noted
       WHERE q.id = $1 AND (ended.released OR q.failures > 0 OR q.next_attempt_at IS NOT NULL)
    )
    SELECT EXISTS (SELECT 1 FROM noted) AS noted, coalesce((SELECT released FROM ended), false) AS released,
           m.id, m.rank, m.role, m.content, m.run, m.mark_event_id
      FROM (VALUES (1)) AS one LEFT JOIN marked m ON true`,
);
