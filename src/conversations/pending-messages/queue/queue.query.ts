import { type ColumnsOf, PreparedStatement, Statement } from '../../../kernel/database';
import { INLINE_BYTES } from '../../../kernel/http';
import type { PendingMessage } from '../record/pending-message.entity';
import type { MessageRow } from '../record/queue-json';

/*
 * By hand because several rows of a queue are changed, counted or ordered by one statement, under locks that others
 * respect (docs/decisions/0004-queue-order-in-our-own-table.md).
 */

/** Of the messages that are done, the latest are listed. */
const MAX_LISTED = 200;

/** The result of `queue_message`. */
export interface QueuedRow {
  readonly to_queue: string | null;
  readonly refusal: string | null;
  readonly place: string | null;
  /** The queue has no lease, and no run is planned. */
  readonly needs_run: boolean | null;
  /** Of the lease that was asked for, if it was necessary. */
  readonly new_fence: string | null;
  readonly orphaned_ms: number | null;
  /** Which limit of bytes refuses the message. */
  readonly exceeded: ByteLimit | null;
}

/** A limit of undelivered bytes: of a queue without a conversation, of the user, of the organization. */
export type ByteLimit = 'queue' | 'user' | 'organization';

/** Queues a message. */
export const QUEUE_MESSAGE = new PreparedStatement<QueuedRow>(
  'queue-message',
  'SELECT * FROM queue_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
);

/**
 * Queues messages ($1) of users ($2) for conversations ($3), with their contents ($4), in the order in which they are given: those
 * whose queues are there and not locked by anybody. $5 to $9 are as the last parameters of {@link QUEUE_MESSAGE}.
 */
export const QUEUE_MESSAGES = new PreparedStatement<QueuedRow & { readonly call: number }>(
  'queue-messages',
  `WITH free AS MATERIALIZED (
     SELECT conversation_id FROM message_queues
      WHERE conversation_id = ANY ($3) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
   )
   SELECT c.call::int AS call, q.*
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])
          WITH ORDINALITY AS c (id, user_id, conversation_id, content, call)
    CROSS JOIN LATERAL queue_message(c.id, c.user_id, c.conversation_id, NULL, NULL, c.content, $5, $6, $7, $8, $9) q
    WHERE c.conversation_id = ANY (ARRAY(SELECT conversation_id FROM free))`,
);

/** As {@link QUEUE_MESSAGE}, for one that waits for the end of a run. */
export const QUEUE_AFTER_RUN = new PreparedStatement<QueuedRow>(
  'queue-after-run',
  'SELECT * FROM queue_after_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
);

/** Whether messages wait in the queue of a conversation ($1) that one sent past it would overtake. */
export const WAITING_TO_STEER = new Statement(
  `SELECT 1 FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
    WHERE q.conversation_id = $1 AND m.state IN ('queued', 'delivering') AND m.mode = 'steer' LIMIT 1`,
);

/** The size of a message in a response without its content and the reason of its failure. */
const FRAME_BYTES = 512;

/**
 * Messages of a queue ($1) in some states ($2), the first to be delivered first, from a rank ($3) on; with their places
 * among the undelivered, their sizes, and the contents of the beginning.
 */
export const LIST_MESSAGES = new Statement<MessageRow>(
  `SELECT id, rank, state, position, mode, role, bytes, created_at, attempts, last_error, delivered_at,
          CASE WHEN sum(bytes) OVER (ORDER BY rank) <= ${INLINE_BYTES} THEN content END AS content
     FROM (SELECT m.*, octet_length(content) + coalesce(octet_length(last_error), 0) + ${FRAME_BYTES} AS bytes,
                  CASE WHEN state IN ('queued', 'delivering') THEN (
                    SELECT count(*) FROM pending_messages b
                     WHERE b.queue_id = $1 AND b.state IN ('queued', 'delivering') AND b.rank <= m.rank
                  ) END AS position
             FROM pending_messages m
            WHERE queue_id = $1 AND state = ANY ($2) ORDER BY rank DESC LIMIT ${MAX_LISTED}) listed
    WHERE $3::bigint IS NULL OR rank >= $3
    ORDER BY rank`,
);

/** The contents of messages ($2) of a queue ($1). */
export const MESSAGE_CONTENTS = new Statement<{ readonly id: string; readonly content: string }>(
  'SELECT id, content FROM pending_messages WHERE queue_id = $1 AND id = ANY ($2)',
);

/** A message whose place is to change. */
type RankedRow = ColumnsOf<PendingMessage, 'id' | 'rank' | 'state' | 'isInitial'>;

/** Locks a queue ($1). */
export const LOCK_QUEUE = new Statement('SELECT 1 FROM message_queues WHERE id = $1 FOR UPDATE');

/** Locks the queue of a conversation ($1). */
export const LOCK_QUEUE_OF = new Statement<{ readonly id: string }>(
  'SELECT id FROM message_queues WHERE conversation_id = $1 FOR UPDATE',
);

/** Locks the queued messages of a queue ($1), and some others ($2), in their order. */
export const LOCK_RANKS = new Statement<RankedRow>(
  `SELECT id, rank, state, is_initial FROM pending_messages
    WHERE queue_id = $1 AND (state = 'queued' OR id = ANY ($2)) ORDER BY rank FOR UPDATE`,
);

/** Gives messages ($1) their ranks ($2). */
export const SET_RANKS = new Statement(
  `UPDATE pending_messages m SET rank = o.rank FROM unnest($1::uuid[], $2::bigint[]) AS o (id, rank)
    WHERE m.id = o.id`,
);

/**
 * Gives a conversation ($1) a queue that its user ($2) has filled under its id or its start task's ($3) in its
 * organization ($4).
 */
export const ATTACH_EARLY_QUEUE = new Statement<{ readonly id: string }>(
  `UPDATE message_queues SET conversation_id = $1, early_key = NULL, org_id = NULL
    WHERE id = (SELECT id FROM message_queues
                 WHERE user_id = $2 AND early_key = ANY ($3) AND closed_reason IS NULL
                   AND org_id = $4 LIMIT 1)
    RETURNING id`,
);

/** Closes the queues of conversations ($1) by their users ($2), for a reason ($3); makes those that are not there. */
export const CLOSE_QUEUES = new Statement<{ readonly id: string }>(
  `INSERT INTO message_queues AS q (id, user_id, conversation_id, closed_reason)
   SELECT gen_random_uuid(), c.user_id, c.id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS c (id, user_id) ORDER BY c.id
   ON CONFLICT (conversation_id) DO UPDATE SET closed_reason = $3 WHERE q.closed_reason IS NULL
   RETURNING q.id`,
);

/** Fails the queued messages of queues ($1), for a reason ($2). */
export const FAIL_QUEUED = new Statement<{ readonly id: string }>(
  `UPDATE pending_messages SET state = 'failed', failed_at = now(), last_error = $2
    WHERE queue_id = ANY ($1) AND state = 'queued' RETURNING id`,
);

/** Keeps messages of queues ($1) that are on their way from being tried again. */
export const STOP_DELIVERING = new Statement<{ readonly id: string }>(
  `UPDATE pending_messages SET stopped = true
    WHERE queue_id = ANY ($1) AND state = 'delivering' RETURNING id`,
);

/** Whether a message of the queue of a conversation ($1) that was kept from being tried again is still on its way. */
export const STOPPED_ON_ITS_WAY = new Statement(
  `SELECT 1 FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
    WHERE q.conversation_id = $1 AND m.state = 'delivering' AND m.stopped LIMIT 1`,
);

/** Closes early queues older than an interval ($1), for a reason ($2). */
export const EXPIRE_EARLY = new Statement<{ readonly id: string }>(
  `WITH closed AS (
     UPDATE message_queues SET closed_reason = $2
      WHERE early_key IS NOT NULL AND closed_reason IS NULL AND created_at < now() - $1::interval
      RETURNING id
   )
   UPDATE pending_messages m SET state = 'failed', failed_at = now(), last_error = $2
     FROM closed WHERE m.queue_id = closed.id AND m.state = 'queued' RETURNING m.id`,
);

/** Deletes closed early queues without messages. */
export const DELETE_CLOSED = new Statement(
  `DELETE FROM message_queues q
    WHERE early_key IS NOT NULL AND closed_reason IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM pending_messages m WHERE m.queue_id = q.id)`,
);

/** Locks the queues of conversations ($1). */
export const LOCK_QUEUES_OF = new Statement<{ readonly id: string }>(
  'SELECT id FROM message_queues WHERE conversation_id = ANY ($1) ORDER BY id FOR UPDATE',
);

/** Deletes messages of the queues of conversations ($1), at most so many ($2). */
export const DELETE_MESSAGES_OF = new Statement<{ readonly items: number; readonly bytes: number }>(
  `WITH deleted AS (
     DELETE FROM pending_messages WHERE id = ANY (ARRAY(
       SELECT m.id FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
        WHERE q.conversation_id = ANY ($1) LIMIT $2))
     RETURNING octet_length(content) AS size
   )
   SELECT count(*)::int AS items, coalesce(sum(size), 0)::float8 AS bytes FROM deleted`,
);

/** Deletes the queues of conversations ($1). */
export const DELETE_QUEUES_OF = new Statement<{ readonly id: string }>(
  'DELETE FROM message_queues WHERE conversation_id = ANY ($1) RETURNING id',
);

/** Messages that are not delivered yet, and for how many seconds the oldest has waited. */
export const UNDELIVERED = new Statement<{ readonly count: number; readonly oldest_seconds: number }>(
  `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_seconds
     FROM pending_messages WHERE state IN ('queued', 'delivering')`,
);
