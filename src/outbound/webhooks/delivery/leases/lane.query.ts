import { PreparedStatement, Statement } from '../../../../kernel/database';

/*
 * By hand because lanes are taken, settled and given back by the batch, in statements that decide and write at once
 * (docs/decisions/0037-lanes-with-leases.md).
 */

/** A delivery with its endpoint; the columns of what is missing are null. */
export interface HeadColumns {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
  readonly occurred_at: Date;
  readonly conversation_id: string | null;
  readonly failures: number;
  readonly is_expired: boolean;
  readonly url: string;
  readonly sealed_secret: string;
  /** While both are valid. */
  readonly sealed_previous_secret: string | null;
}

const HEAD = `h.id, h.type, h.data, h.occurred_at, h.conversation_id, h.failures, h.expires_at <= now() AS is_expired,
  w.url, w.sealed_secret,
  CASE WHEN w.previous_secret_until > now() THEN w.sealed_previous_secret END AS sealed_previous_secret`;

export interface TakenLane extends HeadColumns {
  readonly webhook_id: string;
  readonly lane: string;
  readonly fence: string;
}

/**
 * Takes lanes that are due, of enabled endpoints ($1) at most so many each ($2), for $3 milliseconds. What another
 * worker is writing to is left out.
 */
export const TAKE_LANES = new PreparedStatement<TakenLane>(
  'webhook-lanes-take',
  `WITH due AS MATERIALIZED (
     SELECT l.webhook_id, l.lane
       FROM unnest($1::uuid[], $2::int[]) AS a (webhook_id, most)
       JOIN webhooks w ON w.id = a.webhook_id AND w.enabled
      CROSS JOIN LATERAL (
            SELECT webhook_id, lane FROM webhook_lanes
             WHERE webhook_id = a.webhook_id AND due_at <= now()
             ORDER BY due_at LIMIT a.most FOR UPDATE SKIP LOCKED) l
   ), taken AS (
     UPDATE webhook_lanes l
        SET fence = nextval('webhook_fences'), due_at = now() + $3 * interval '1 millisecond'
       FROM due WHERE l.webhook_id = due.webhook_id AND l.lane = due.lane
     RETURNING l.webhook_id, l.lane, l.fence
   )
   SELECT t.webhook_id, t.lane, t.fence, ${HEAD}
     FROM taken t JOIN webhooks w ON w.id = t.webhook_id
     LEFT JOIN LATERAL (
          SELECT * FROM webhook_deliveries d
           WHERE d.webhook_id = t.webhook_id AND d.lane = t.lane AND d.state = 'pending'
           ORDER BY d.rank LIMIT 1) h ON true`,
);

/** The state of a lane after it was settled. */
export interface SettledLane extends HeadColumns {
  readonly webhook_id: string;
  /** Of the lease that it was settled with. */
  readonly fence: string;
  /**
   * `lost`: another worker has it; `paused`: its head is tried again later; `next`: the columns are of its new head;
   * `ended`: nothing is pending; `again`: something has come meanwhile that has to be read.
   */
  readonly outcome: 'lost' | 'paused' | 'next' | 'ended' | 'again';
  /** What has become of the delivery; null when there was none, or it was no longer pending. */
  readonly state: 'delivered' | 'failed' | 'pending' | null;
  /** The first failure since the last success, before this. */
  readonly failing_since: Date | null;
  /** It has only failed for longer than an endpoint may. */
  readonly is_failing: boolean;
  /** It has only failed for so long that a success is the end of an outage. */
  readonly was_down: boolean;
}

/**
 * Records what came of deliveries ($1, JSON; without an id a lane is only read), and reads what comes next in each lane.
 * Has no effect on a lane that another worker took. $2 is how long an endpoint may only fail, $3 how long before it is down.
 *
 * What fails before its time, as a probe, is `kept` as it is: it is tried again when it would have been.
 *
 * A lane without anything pending is removed. That nothing was added since this statement began is shown by the counter
 * of additions: `seen` reads it together with the deliveries, and the removal finds the row as it is then. A lane that pauses
 * loses its fence: a renewal that is on its way must not cut the pause short.
 */
export const SETTLE_LANES = new PreparedStatement<SettledLane>(
  'webhook-lanes-settle',
  `WITH done AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS d (webhook_id uuid, lane uuid, fence bigint, id uuid, verdict text,
       delay_ms bigint, asked_ms bigint, at timestamptz, duration_ms int, status int, error text, answer text)
   ), seen AS MATERIALIZED (
     SELECT DISTINCT l.webhook_id, l.lane, l.additions FROM done d JOIN webhook_lanes l USING (webhook_id, lane)
   ), own AS MATERIALIZED (
     SELECT l.webhook_id, l.lane, l.fence, d.id FROM done d JOIN webhook_lanes l USING (webhook_id, lane)
      WHERE l.fence = d.fence ORDER BY l.webhook_id, l.lane FOR UPDATE OF l
   ), kept AS MATERIALIZED (
     SELECT v.id, v.webhook_id, v.lane, o.fence, v.state, v.retry_at
       FROM own o JOIN done d ON d.id = o.id AND d.fence = o.fence JOIN webhook_deliveries v ON v.id = o.id
      WHERE v.state = 'pending' AND d.verdict = 'retry' AND v.retry_at > now()
   ), recorded AS (
     UPDATE webhook_deliveries v
        SET state = CASE WHEN d.verdict <> 'retry' THEN d.verdict
                         WHEN now() + d.delay_ms * interval '1 millisecond' >= v.expires_at THEN 'failed'
                         ELSE 'pending' END,
            completed_at = CASE WHEN d.verdict <> 'retry'
                                  OR now() + d.delay_ms * interval '1 millisecond' >= v.expires_at THEN now() END,
            attempts = v.attempts + (d.at IS NOT NULL)::int,
            failures = CASE WHEN d.verdict = 'delivered' THEN 0 ELSE v.failures + 1 END,
            retry_at = CASE WHEN d.verdict = 'retry' THEN now() + d.delay_ms * interval '1 millisecond' END,
            last_error = d.error
       FROM own o JOIN done d ON d.id = o.id AND d.fence = o.fence
      WHERE v.id = d.id AND v.state = 'pending' AND v.id NOT IN (SELECT id FROM kept)
     RETURNING v.id, v.webhook_id, v.lane, o.fence, v.attempts, v.state, v.retry_at
   ), settled AS MATERIALIZED (
     SELECT id, webhook_id, lane, fence, state, retry_at FROM recorded
     UNION ALL
     SELECT id, webhook_id, lane, fence, state, retry_at FROM kept
   ), attempted AS (
     INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, status, error, answer)
     SELECT r.id, r.attempts, d.at, d.duration_ms, d.status, d.error, d.answer
       FROM recorded r JOIN done d ON d.id = r.id AND d.fence = r.fence WHERE d.at IS NOT NULL
   ), paused AS (
     UPDATE webhook_lanes l
        SET fence = 0, due_at = greatest(s.retry_at, now() + d.asked_ms * interval '1 millisecond'),
            not_before = now() + d.asked_ms * interval '1 millisecond'
       FROM settled s JOIN done d ON d.id = s.id AND d.fence = s.fence
      WHERE s.state = 'pending' AND l.webhook_id = s.webhook_id AND l.lane = s.lane
   ), heads AS MATERIALIZED (
     SELECT o.webhook_id AS of_webhook, o.lane AS of_lane, h.*
       FROM own o LEFT JOIN settled s ON s.id = o.id
      CROSS JOIN LATERAL (
            SELECT * FROM webhook_deliveries d
             WHERE d.webhook_id = o.webhook_id AND d.lane = o.lane AND d.state = 'pending'
               AND d.id IS DISTINCT FROM o.id
             ORDER BY d.rank LIMIT 1) h
      WHERE s.state IS DISTINCT FROM 'pending'
   ), removed AS (
     DELETE FROM webhook_lanes l
      USING own o
       JOIN seen ON seen.webhook_id = o.webhook_id AND seen.lane = o.lane
       LEFT JOIN settled s ON s.id = o.id
       LEFT JOIN heads ON heads.of_webhook = o.webhook_id AND heads.of_lane = o.lane
      WHERE l.webhook_id = o.webhook_id AND l.lane = o.lane AND l.additions = seen.additions
        AND s.state IS DISTINCT FROM 'pending' AND heads.id IS NULL
     RETURNING l.webhook_id, l.lane
   )
   SELECT d.webhook_id, d.fence, s.state, w.failing_since, w.failing_since < now() - $2::interval AS is_failing,
          coalesce(w.failing_since < now() - $3::interval, false) AS was_down,
          CASE WHEN o.lane IS NULL THEN 'lost' WHEN s.state = 'pending' THEN 'paused' WHEN h.id IS NOT NULL THEN 'next'
               WHEN r.lane IS NOT NULL THEN 'ended' ELSE 'again' END AS outcome,
          ${HEAD}
     FROM done d
     LEFT JOIN own o ON o.webhook_id = d.webhook_id AND o.lane = d.lane AND o.fence = d.fence
     LEFT JOIN settled s ON s.id = o.id
     LEFT JOIN removed r ON r.webhook_id = o.webhook_id AND r.lane = o.lane
     LEFT JOIN heads h ON h.of_webhook = o.webhook_id AND h.of_lane = o.lane
     LEFT JOIN webhooks w ON w.id = d.webhook_id`,
);

/** Renews the leases of lanes ($1, $2) by their fences ($3) for $4 milliseconds; one that is locked is left out. */
export const RENEW_LANES = new Statement<{ readonly fence: string }>(
  `WITH own AS (
     SELECT l.webhook_id, l.lane FROM webhook_lanes l
       JOIN unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS h (webhook_id, lane, fence) USING (webhook_id, lane)
      WHERE l.fence = h.fence FOR UPDATE OF l SKIP LOCKED
   )
   UPDATE webhook_lanes l SET due_at = now() + $4 * interval '1 millisecond'
     FROM own WHERE l.webhook_id = own.webhook_id AND l.lane = own.lane RETURNING l.fence`,
);

/** Gives lanes ($1, $2) back that have these fences ($3), to be taken after $4 milliseconds. */
export const GIVE_LANES_BACK = new Statement(
  `WITH own AS (
     SELECT l.webhook_id, l.lane FROM webhook_lanes l
       JOIN unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS h (webhook_id, lane, fence) USING (webhook_id, lane)
      WHERE l.fence = h.fence ORDER BY l.webhook_id, l.lane FOR UPDATE OF l
   )
   UPDATE webhook_lanes l SET fence = 0, due_at = now() + $4 * interval '1 millisecond'
     FROM own WHERE l.webhook_id = own.webhook_id AND l.lane = own.lane`,
);

/** Endpoints with lanes, however many: from one endpoint to the next by the index. */
const WITH_LANES = `with_lanes AS (
     (SELECT webhook_id FROM webhook_lanes ORDER BY webhook_id LIMIT 1)
     UNION ALL
     SELECT (SELECT l.webhook_id FROM webhook_lanes l WHERE l.webhook_id > b.webhook_id ORDER BY l.webhook_id LIMIT 1)
       FROM with_lanes b WHERE b.webhook_id IS NOT NULL
   )`;

/** Endpoints with lanes that are due. */
export const DUE_WEBHOOKS = new PreparedStatement<{ readonly webhook_id: string }>(
  'webhook-lanes-due',
  `WITH RECURSIVE ${WITH_LANES}
   SELECT webhook_id FROM with_lanes b
    WHERE EXISTS (SELECT 1 FROM webhook_lanes l WHERE l.webhook_id = b.webhook_id AND l.due_at <= now())`,
);

/**
 * Has one paused lane of each endpoint that only fails be tried, again after a time ($1): any of those that are the next to be
 * tried anyway. What Retry-After asks for counts, and what another worker is writing to is left out.
 */
export const PROBE_LANES = new Statement(
  `WITH RECURSIVE ${WITH_LANES}, down AS MATERIALIZED (
     SELECT w.id FROM webhooks w
      WHERE w.id IN (SELECT webhook_id FROM with_lanes)
        AND w.enabled AND w.failing_since IS NOT NULL AND w.probe_at <= now()
        FOR NO KEY UPDATE SKIP LOCKED
   ), noted AS (
     UPDATE webhooks w SET probe_at = now() + $1::interval FROM down d WHERE w.id = d.id
   ), probed AS MATERIALIZED (
     SELECT l.webhook_id, l.lane FROM down d
      CROSS JOIN LATERAL (
            SELECT webhook_id, lane FROM (
              SELECT webhook_id, lane FROM webhook_lanes
               WHERE webhook_id = d.id AND fence = 0 AND due_at > now() AND (not_before IS NULL OR not_before <= now())
               ORDER BY due_at LIMIT 10 FOR UPDATE SKIP LOCKED) next
             ORDER BY random() LIMIT 1) l
   )
   UPDATE webhook_lanes l SET due_at = now()
     FROM probed p WHERE l.webhook_id = p.webhook_id AND l.lane = p.lane`,
);

/**
 * Has the paused lanes of an endpoint ($1) be tried within a minute, as far as Retry-After lets them. The back-off begins anew:
 * who comes back under load may refuse some, which are not to wait as long as they did while it was down.
 */
export const BRING_LANES_FORWARD = new Statement(
  `WITH paused AS MATERIALIZED (
     SELECT lane FROM webhook_lanes WHERE webhook_id = $1 AND fence = 0 AND due_at > now() ORDER BY lane FOR UPDATE
   ), begun_anew AS (
     UPDATE webhook_deliveries d SET failures = 0, retry_at = NULL
       FROM paused p WHERE d.webhook_id = $1 AND d.lane = p.lane AND d.state = 'pending' AND d.failures > 0
   )
   UPDATE webhook_lanes l
      SET due_at = least(l.due_at, greatest(l.not_before, now()) + random() * interval '1 minute')
     FROM paused p WHERE l.webhook_id = $1 AND l.lane = p.lane`,
);
