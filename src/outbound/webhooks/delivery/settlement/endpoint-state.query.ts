import { Statement } from '../../../../kernel/database';

/* By hand because each changes or asks one thing, whatever else changes in the row at the same time. */

/**
 * An endpoint ($1) has failed; for the first time since it last succeeded, it is probed after a time ($2). Written each
 * time, so that it waits for a success that is being recorded: what has paused too late to be brought forward begins a new outage.
 */
export const FAILING = new Statement(
  `UPDATE webhooks
      SET failing_since = coalesce(failing_since, now()),
          probe_at = CASE WHEN failing_since IS NULL THEN now() + $2::interval ELSE probe_at END
    WHERE id = $1`,
);

/** An endpoint ($1) has succeeded, for the first time since it began to fail. */
export const SUCCEEDING = new Statement<{ readonly id: string }>(
  'UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL RETURNING id',
);

/** Whether an endpoint ($1) has succeeded since it began to fail: two callbacks may have ended at the same time. */
export const HAS_SUCCEEDED_SINCE = new Statement(
  `SELECT 1 FROM webhooks w WHERE w.id = $1
      AND EXISTS (SELECT 1 FROM webhook_deliveries d
                   WHERE d.webhook_id = w.id AND d.state = 'delivered' AND d.completed_at >= w.failing_since)`,
);
