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

/** Where the log of an organization ($1) ends, and the last position that was given to any event. */
export const LOG_BOUNDS = new Statement<{
  readonly last: string;
  readonly given: string;
}>(
  `SELECT greatest(coalesce(g.position, 0), coalesce(e.position, 0)) AS last,
          CASE WHEN s.is_called THEN s.last_value ELSE 0 END AS given
     FROM domain_event_positions s
     LEFT JOIN domain_events_gone g ON g.org_id = $1
     LEFT JOIN LATERAL (SELECT position FROM domain_events
                         WHERE org_id = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT 1) e ON true`,
);

/** An event of an organization in its place; none where only the beginning of what was asked for is gone. */
export interface OrgEventRow extends Omit<PositionedRow, 'position'> {
  readonly org_id: string;
  readonly position: string | null;
  /** Up to here what was asked for is gone; null where nothing of it is. */
  readonly gone: string | null;
}

/**
 * The next events of several organizations ($1), each after a position ($2), at most so many of each ($3), and up to
 * where they are gone: as it is when they are read, for they may be deleted while a reader reads page by page.
 */
export const EVENTS_AFTER = new PreparedStatement<OrgEventRow>(
  'domain-events-after',
  `SELECT c.org_id, g.position AS gone, e.position, e.event, e.created_at
     FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS c (org_id, after, n)
     LEFT JOIN domain_events_gone g ON g.org_id = c.org_id AND g.position > c.after
     LEFT JOIN LATERAL (
       SELECT position, event, created_at FROM domain_events
        WHERE org_id = c.org_id AND position > greatest(c.after, g.position) AND position IS NOT NULL
        ORDER BY position LIMIT $3) e ON true
    WHERE e.position IS NOT NULL OR g.position IS NOT NULL
    ORDER BY c.n, e.position`,
);
