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

/** Deletes the oldest events, at most so many ($2), as far as they are older than an interval ($1). */
export const DELETE_OLD_EVENTS = new Statement<{ readonly id: string }>(
  `DELETE FROM domain_events
    WHERE id IN (SELECT id FROM domain_events ORDER BY id LIMIT $2)
      AND created_at < now() - $1::interval AND position IS NOT NULL
   RETURNING id`,
);
