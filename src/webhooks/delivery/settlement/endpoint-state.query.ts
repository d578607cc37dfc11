import { Statement } from '../../../database';

/* By hand because each changes or asks one thing, whatever else changes in the row at the same time. */

/** An endpoint ($1) has failed, for the first time since it last succeeded. */
export const FAILING = new Statement(
  'UPDATE webhooks SET failing_since = now() WHERE id = $1 AND failing_since IS NULL',
);

/** An endpoint ($1) has succeeded. */
export const SUCCEEDING = new Statement(
  'UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
);

/** Whether an endpoint ($1) has succeeded since it began to fail: two callbacks may have ended at the same time. */
export const HAS_SUCCEEDED_SINCE = new Statement(
  `SELECT 1 FROM webhooks w WHERE w.id = $1
      AND EXISTS (SELECT 1 FROM webhook_deliveries d
                   WHERE d.webhook_id = w.id AND d.state = 'delivered' AND d.completed_at >= w.failing_since)`,
);
