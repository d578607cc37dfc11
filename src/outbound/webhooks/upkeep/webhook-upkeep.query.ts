import { Statement } from '../../../kernel/database';

/* By hand because rows are counted and deleted by the batch, without being read. */

/**
 * Deletes deliveries that were completed longer ago than an interval ($1), at most so many ($2), with their attempts; but not those
 * of organizations that say themselves how long they are kept, and nothing of what is held. Looked for by endpoint, and from the
 * oldest on, so that what others keep for longer is not read.
 */
export const DELETE_COMPLETED = new Statement<{ readonly id: string }>(
  `DELETE FROM webhook_deliveries
    WHERE id = ANY (ARRAY(
            SELECT old.id FROM webhooks w CROSS JOIN LATERAL (
              SELECT d.id FROM webhook_deliveries d
               WHERE d.webhook_id = w.id AND d.created_at < now() - $1::interval
                 AND d.completed_at < now() - $1::interval AND NOT coalesce(is_held(d.conversation_id), false)
               ORDER BY d.created_at, d.id LIMIT $2 FOR UPDATE SKIP LOCKED) old
             WHERE own_retention_days(w.org_id, 'deliveries') IS NULL LIMIT $2))
      AND state <> 'pending'
   RETURNING id`,
);

/** Deletes completed deliveries ($1), with their attempts. Returns their sizes. */
export const DELETE_COMPLETED_OF = new Statement<{ readonly items: number; readonly bytes: number }>(
  `WITH deleted AS (
     DELETE FROM webhook_deliveries WHERE id = ANY ($1) AND state <> 'pending' RETURNING octet_length(data) AS size
   )
   SELECT count(*)::int AS items, coalesce(sum(size), 0)::float8 AS bytes FROM deleted`,
);

/** Enabled endpoints with more pending deliveries than so many ($1); no more of them are counted. */
export const BACKLOGS = new Statement<{ readonly id: string }>(
  `SELECT id FROM webhooks w
    WHERE enabled
      AND EXISTS (SELECT 1 FROM webhook_deliveries d
                   WHERE d.webhook_id = w.id AND d.state = 'pending' OFFSET $1 LIMIT 1)`,
);

/** How much is pending, and since when the oldest is. */
export const PENDING = new Statement<{ readonly count: number; readonly oldest_seconds: number }>(
  `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_seconds
     FROM webhook_deliveries WHERE state = 'pending'`,
);
