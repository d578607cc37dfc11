import { Statement } from '../../../kernel/database';
import { accountsFor, doneAt } from './done-messages.query';

/*
 * By hand because what is kept is summed by organization, which conversations have.
 */

/** Until when messages are counted for good: what was done in the last minute may not have been committed yet. */
export const SETTLED_UNTIL = new Statement<{ readonly until: string }>(
  `SELECT (now() - interval '1 minute')::text AS until`,
);

/**
 * Until when a number of messages ($3), and those of the same moment, were delivered or failed from a time on ($1); no row
 * where there are no more of them until another time ($2).
 */
export const END_OF_PORTION = new Statement<{ readonly until: string }>(
  // Within both bounds the planner would expect few rows, and sort all of them.
  `SELECT (at + interval '1 microsecond')::text AS until FROM (
     SELECT ${doneAt('m')} AS at FROM pending_messages m
      WHERE m.state IN ('delivered', 'failed') AND ${doneAt('m')} >= $1
      ORDER BY 1 OFFSET $3 - 1 LIMIT 1) last
    WHERE at < $2`,
);

/** Bytes of messages of each organization that were delivered or failed from a time on ($1), until before another ($2). */
export const KEPT_BETWEEN = new Statement<{ readonly org_id: string; readonly bytes: string }>(
  `SELECT coalesce(c.org_id, q.org_id) AS org_id, sum(octet_length(m.content)) AS bytes
     FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
     LEFT JOIN conversations c ON c.id = q.conversation_id
    WHERE m.state IN ('delivered', 'failed') AND ${doneAt('m')} >= $1 AND ${doneAt('m')} < $2
      AND coalesce(c.org_id, q.org_id) IS NOT NULL
    GROUP BY 1`,
);

/** The queues of an organization ($1), of its conversations and of those that are not there yet. */
const QUEUES = `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id WHERE c.org_id = $1
                UNION ALL
                SELECT id FROM message_queues WHERE org_id = $1 AND early_key IS NOT NULL`;

/** Bytes of messages of an organization ($1) that were delivered or failed before a time ($2). */
export const KEPT_BEFORE = new Statement<{ readonly bytes: string }>(
  `SELECT coalesce(sum(octet_length(m.content)), 0) AS bytes FROM pending_messages m
    WHERE m.state IN ('delivered', 'failed') AND ${doneAt('m')} < $2 AND m.queue_id IN (${QUEUES})`,
);

/**
 * The oldest delivered and failed messages of an organization ($1) beyond a number of bytes ($2), at most so many ($3);
 * none of what is held; beyond another number ($4) also those that account for what is in the log of a message whose outcome is unknown.
 */
export const KEPT_BEYOND = new Statement<{ readonly id: string; readonly size: number }>(
  `SELECT id, size FROM (
     SELECT m.id, m.queue_id, octet_length(m.content) AS size,
            sum(octet_length(m.content)) OVER (ORDER BY ${doneAt('m')} DESC, m.id) AS bytes
       FROM pending_messages m
      WHERE m.state IN ('delivered', 'failed') AND m.queue_id IN (${QUEUES})) sized
    WHERE bytes > $2 AND (bytes > $4 OR NOT ${accountsFor('sized')})
      AND NOT (SELECT is_held(q.conversation_id) FROM message_queues q WHERE q.id = sized.queue_id)
    ORDER BY bytes DESC LIMIT $3`,
);
