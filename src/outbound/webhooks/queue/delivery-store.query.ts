import { Statement } from '../../../kernel/database';

/*
 * By hand because deliveries are added by the batch, together with their lanes, and because a counter
 * distinguishes a lane that gets a delivery from one that is found empty at the same time
 * (docs/decisions/0037-lanes-with-leases.md). Lanes are locked in the order of their keys, and before their deliveries.
 */

/** Until when a delivery is tried. */
const EXPIRY = `now() + interval '3 days'`;

/**
 * Adds deliveries in their order: ids ($1), endpoints ($2), lanes ($3), types ($4), the agent's kinds ($5), conversations ($6),
 * data ($7) and times ($8). Nobody has to wait for a lane: one that is busy or paused stays so.
 */
export const ADD_DELIVERIES = new Statement(
  `WITH new AS MATERIALIZED (
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::timestamptz[])
       WITH ORDINALITY AS n (id, webhook_id, lane, type, event_kind, conversation_id, data, occurred_at, n)
   ), added AS (
     INSERT INTO webhook_deliveries (id, webhook_id, lane, type, event_kind, conversation_id, data, occurred_at, expires_at)
     SELECT id, webhook_id, lane, type, event_kind, conversation_id, data, occurred_at, ${EXPIRY}
       FROM (SELECT * FROM new ORDER BY n) ordered
   )
   INSERT INTO webhook_lanes AS l (webhook_id, lane, due_at, additions)
   SELECT webhook_id, lane, now(), 1 FROM new GROUP BY webhook_id, lane ORDER BY webhook_id, lane
   ON CONFLICT (webhook_id, lane) DO UPDATE SET additions = l.additions + 1`,
);

/**
 * Puts completed deliveries ($2) of an endpoint ($1) at the end of their lanes, to be sent again; in the order in which
 * they were made.
 */
export const REPLAY_DELIVERIES = new Statement<{ readonly id: string }>(
  `WITH again AS MATERIALIZED (
     SELECT id, lane, nextval('webhook_ranks') AS rank FROM (
       SELECT id, lane FROM webhook_deliveries
        WHERE webhook_id = $1 AND id = ANY ($2) AND state <> 'pending' ORDER BY rank FOR UPDATE) locked
   ), lanes AS (
     INSERT INTO webhook_lanes AS l (webhook_id, lane, due_at, additions)
     SELECT $1, lane, now(), 1 FROM again GROUP BY lane ORDER BY lane
     ON CONFLICT (webhook_id, lane) DO UPDATE SET additions = l.additions + 1
   )
   UPDATE webhook_deliveries d
      SET state = 'pending', rank = again.rank, failures = 0, retry_at = NULL, last_error = NULL, completed_at = NULL, expires_at = ${EXPIRY}
     FROM again WHERE d.id = again.id RETURNING d.id`,
);

/** Revokes the leases on all lanes of an endpoint ($1). */
export const DROP_LANES = new Statement(
  `WITH locked AS MATERIALIZED (
     SELECT lane FROM webhook_lanes WHERE webhook_id = $1 ORDER BY lane FOR UPDATE
   )
   DELETE FROM webhook_lanes l USING locked k WHERE l.webhook_id = $1 AND l.lane = k.lane`,
);

/** Fails the pending deliveries of an endpoint ($1) for a reason ($2), at most so many ($3). */
export const FAIL_PENDING = new Statement<{ readonly id: string }>(
  `UPDATE webhook_deliveries SET state = 'failed', last_error = $2, completed_at = now()
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'pending' LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Deletes deliveries of an endpoint ($1), at most so many ($2), with their attempts. */
export const DELETE_SOME = new Statement<{ readonly id: string }>(
  `DELETE FROM webhook_deliveries
    WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1
                  ORDER BY created_at DESC, id DESC LIMIT $2 FOR UPDATE)
   RETURNING id`,
);

/** Disables an endpoint ($1) for a reason ($2), unless it is. */
export const DISABLE = new Statement<{ readonly org_id: string }>(
  `UPDATE webhooks SET enabled = false, disabled_reason = $2, disabled_at = now(), updated_at = now()
    WHERE id = $1 AND enabled RETURNING org_id`,
);

/** Locks an endpoint ($1) that is disabled: nobody enables it before the transaction ends. */
export const LOCK_DISABLED = new Statement(
  'SELECT 1 FROM webhooks WHERE id = $1 AND NOT enabled FOR NO KEY UPDATE',
);

/** Endpoints that are disabled and have something pending: more than is given up at once, or added at that moment. */
export const DISABLED_WITH_PENDING = new Statement<{ readonly id: string }>(
  `SELECT id FROM webhooks w
    WHERE NOT enabled
      AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.state = 'pending')`,
);
