import { columnsOf, Statement } from '../../../kernel/database';
import { WebhookDelivery } from '../record/webhook-delivery.entity';

/* By hand because pages begin at a pair of columns, which an index has. */

/** A delivery as lists have it. */
type ListedDelivery = Omit<WebhookDelivery, 'data'>;

/**
 * The deliveries of an endpoint ($1), the newest first: those in a state ($2, or null for all), from one on ($3 and $4: when
 * it was made, and its id; null for the first page), so many ($5).
 */
export const DELIVERIES = new Statement<ListedDelivery>(
  `SELECT ${columnsOf(WebhookDelivery, 'd', ['data'])}
     FROM webhook_deliveries d
    WHERE d.webhook_id = $1 AND ($2::text IS NULL OR d.state = $2)
      AND ($3::timestamptz IS NULL OR (d.created_at, d.id) <= ($3, $4::uuid))
    ORDER BY d.created_at DESC, d.id DESC LIMIT $5`,
);

/** The failed deliveries of an endpoint ($1) that were made at a time ($2) or later, the oldest first, so many ($3). */
export const FAILED_DELIVERIES = new Statement<{ readonly id: string }>(
  `SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'failed' AND created_at >= $2
    ORDER BY created_at, rank LIMIT $3`,
);
