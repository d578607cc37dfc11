import { MEBIBYTE } from '../../../kernel/common';
import { Statement } from '../../../kernel/database';

/*
 * By hand because what is deleted depends on other messages of the queue, and on the size of the batch.
 */

/** What one statement deletes well within its time limit, whichever is less; one message it deletes in any case. */
export const DELETED_AT_ONCE = { messages: 10_000, bytes: 256 * MEBIBYTE };

/**
 * SQL for whether a message may account for what is in the log of one whose outcome is unknown, which is of the same queue
 * (docs/decisions/0006-settling-time-after-an-unknown-outcome.md).
 * @param message name of the message's row
 */
export const accountsFor = (message: string): string =>
  `EXISTS (SELECT 1 FROM pending_messages d WHERE d.queue_id = ${message}.queue_id AND d.state = 'delivering')`;

/** SQL for when a message was done. @param message name of the message's row */
export const doneAt = (message: string): string =>
  `coalesce(${message}.delivered_at, ${message}.failed_at, ${message}.created_at)`;

/**
 * Deletes messages that are done for an interval ($1), at most so many ($2), and no more once they have so many bytes ($3);
 * except those that account for what is in the log of a message whose outcome is unknown, those of organizations that say
 * themselves how long messages are kept, and what is held. Returns those that it deleted.
 */
export const DELETE_DONE = new Statement<{ readonly id: string }>(
  // As an array, since the planner would expect as many as may be and read all messages for them.
  `DELETE FROM pending_messages WHERE id = ANY (ARRAY(
     SELECT id FROM (
       SELECT id, sum(size) OVER (ORDER BY at, id) - size AS before FROM (
         SELECT m.id, octet_length(m.content) AS size, ${doneAt('m')} AS at
           FROM pending_messages m
          WHERE m.state IN ('delivered', 'failed', 'cancelled')
            AND ${doneAt('m')} < now() - $1::interval AND NOT ${accountsFor('m')}
            AND own_retention_days(m.org_id, 'messages') IS NULL
            AND NOT (SELECT is_held(q.conversation_id) FROM message_queues q WHERE q.id = m.queue_id)
          ORDER BY at LIMIT $2) oldest) sized
      WHERE before < $3))
   RETURNING id`,
);

/** Deletes delivered and failed messages ($1). Returns those that it deleted. */
export const DELETE_KEPT = new Statement<{ readonly id: string }>(
  `DELETE FROM pending_messages WHERE id = ANY ($1) AND state IN ('delivered', 'failed') RETURNING id`,
);

/** Deletes messages that are done ($1), but for those that account for another. Returns their sizes. */
export const DELETE_DONE_OF = new Statement<{ readonly items: number; readonly bytes: number }>(
  `WITH deleted AS (
     DELETE FROM pending_messages m
      WHERE m.id = ANY ($1) AND m.state IN ('delivered', 'failed', 'cancelled') AND NOT ${accountsFor('m')}
     RETURNING octet_length(m.content) AS size
   )
   SELECT count(*)::int AS items, coalesce(sum(size), 0)::float8 AS bytes FROM deleted`,
);
