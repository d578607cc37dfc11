import { PreparedStatement, Statement } from '../../database';

/*
 * By hand because events are written and numbered by the batch, next to the changes of every request
 * (docs/decisions/0036-log-of-domain-events.md).
 */

/** Adds events: their organizations ($1), conversations ($2), kinds ($3) and texts ($4), in their order. */
export const ADD_DOMAIN_EVENTS = new Statement(
  `INSERT INTO domain_events (org_id, conversation_id, kind, event)
   SELECT e.org_id, e.conversation_id, e.kind, e.event
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[])
          WITH ORDINALITY AS e (org_id, conversation_id, kind, event, n)
    ORDER BY e.n`,
);

/** An event that has its position now. */
export interface PositionedRow {
  readonly position: string;
  readonly event: unknown;
  readonly created_at: Date;
}

/** Whether there is an event without a position. */
export const HAS_UNPOSITIONED = new PreparedStatement<{ readonly found: boolean }>(
  'domain-events-unpositioned',
  'SELECT EXISTS (SELECT 1 FROM domain_events WHERE position IS NULL) AS found',
);

/**
 * Gives positions to the first events without one, at most so many ($2), unless another replica holds the lock ($1) to
 * do so, which ends with the transaction. A row that another replica has numbered since this statement began is left alone.
 */
export const POSITION_EVENTS = new Statement<PositionedRow>(
  `WITH own AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock($1) AS locked
   ), positioned AS (
     UPDATE domain_events e SET position = b.position
       FROM (SELECT id, nextval('domain_event_positions') AS position
               FROM (SELECT id FROM domain_events
                      WHERE position IS NULL AND (SELECT locked FROM own) ORDER BY id LIMIT $2) first) b
      WHERE e.id = b.id AND e.position IS NULL
     RETURNING e.position, e.event, e.created_at
   )
   SELECT p.position, p.event, p.created_at
     FROM positioned p ORDER BY p.position`,
);

/**
 * Deletes the oldest events, at most so many ($2), as far as they are older than an interval ($1), and notes up to where
 * the log of each organization is gone.
 */
export const DELETE_OLD_EVENTS = new Statement<{ readonly id: string }>(
  `WITH deleted AS (
     DELETE FROM domain_events
      WHERE id IN (SELECT id FROM domain_events ORDER BY id LIMIT $2)
        AND created_at < now() - $1::interval AND position IS NOT NULL
     RETURNING id, org_id, position
   ), noted AS (
     INSERT INTO domain_events_gone AS g (org_id, position)
     SELECT org_id, max(position) FROM deleted GROUP BY org_id
     ON CONFLICT (org_id) DO UPDATE SET position = greatest(g.position, excluded.position)
   )
   SELECT id FROM deleted`,
);

/** Where the log of an organization ($1) begins and ends, and the last position that was given to any event. */
export const LOG_BOUNDS = new Statement<{
  readonly gone: string;
  readonly last: string;
  readonly given: string;
}>(
  `SELECT coalesce(g.position, 0) AS gone, greatest(coalesce(g.position, 0), coalesce(e.position, 0)) AS last,
          s.last_value AS given
     FROM domain_event_positions s
     LEFT JOIN domain_events_gone g ON g.org_id = $1
     LEFT JOIN LATERAL (SELECT position FROM domain_events
                         WHERE org_id = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT 1) e ON true`,
);

/** An event of an organization in its place. */
export interface OrgEventRow extends PositionedRow {
  readonly org_id: string;
}

/** The next events of several organizations ($1), each after a position ($2), at most so many of each ($3). */
export const EVENTS_AFTER = new PreparedStatement<OrgEventRow>(
  'domain-events-after',
  `SELECT c.org_id, e.position, e.event, e.created_at
     FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS c (org_id, after, n)
    CROSS JOIN LATERAL (
       SELECT position, event, created_at FROM domain_events
        WHERE org_id = c.org_id AND position > c.after AND position IS NOT NULL
        ORDER BY position LIMIT $3) e
    ORDER BY c.n, e.position`,
);
