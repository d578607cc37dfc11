import { Statement } from '../../../kernel/database';

/* By hand because rows are counted and deleted by the batch, without being read. */

/** Deletes deliveries that were completed longer ago than an interval ($1), at most so many ($2), with their attempts. */
export const DELETE_COMPLETED = new Statement<{ readonly id: string }>(
  `DELETE FROM webhook_deliveries
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE completed_at < now() - $1::interval
                  ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
      AND state <> 'pending'
   RETURNING id`,
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
