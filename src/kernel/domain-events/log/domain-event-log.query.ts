import { PreparedStatement, Statement } from '../../database';

/*
 * By hand because events are written and numbered by the batch, next to the changes of every request
 * (docs/decisions/0036-log-of-domain-events.md).
 */

/**
 * Adds events: their organizations ($1), conversations ($2) and kinds ($3), and themselves ($4), in their order. They are one JSON,
 * since in an array of SQL each of their quotes would be escaped.
 */
export const ADD_DOMAIN_EVENTS = new Statement(
  `INSERT INTO domain_events (org_id, conversation_id, kind, event)
   SELECT e.org_id, e.conversation_id, e.kind, e.event
     FROM ROWS FROM (unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::text[]), json_array_elements($4::json))
          WITH ORDINALITY AS e (org_id, conversation_id, kind, event, n)
    ORDER BY e.n`,
);

/** Events that triggers have logged in this transaction, in their order, as far as they were not taken before. */
export const TAKE_LOGGED = new Statement<{ readonly event: unknown }>(
  `WITH noted AS MATERIALIZED (
     SELECT nullif(current_setting('domain_events.logged', true), '') AS ids,
            set_config('domain_events.logged', '', true) AS taken
   )
   SELECT event FROM domain_events
    WHERE id = ANY ((SELECT string_to_array(ids, ',') FROM noted)::bigint[]) ORDER BY id`,
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

/** An event that has its position now, and of the batch that it is of: */
export interface BatchRow extends PositionedRow {
  readonly org_id: string;
  /** How many events each organization had room for. */
  readonly share: number;
  /** The organization that the next batch begins behind, as this one had no room for more; null where it had. */
  readonly last_org_id: string | null;
}

/** A batch of nothing, because another replica has the lock or because no organization behind the given one has anything. */
interface EmptyBatchRow {
  readonly position: null;
  /** Whether this replica has the lock. */
  readonly locked: boolean;
}

/**
 * Gives positions to events without one, at most so many ($2), unless another replica holds the lock ($1) to
 * do so, which ends with the transaction. Organizations take turns: in their order, behind one of them ($3), each gets an equal
 * share for its first events, so that no backlog of one holds up another. From one organization to the next, and within
 * each, by the index, however many events wait; rows are then found by their ids, whatever the planner takes the index of those
 * that wait for, which is empty most of the time. A row that another replica has numbered since this statement began is left alone.
 */
export const POSITION_EVENTS = new Statement<BatchRow | EmptyBatchRow>(
  `WITH RECURSIVE own AS MATERIALIZED (
     SELECT pg_try_advisory_xact_lock($1) AS locked
   ), orgs (org_id, n) AS (
     (SELECT org_id, 1 FROM domain_events
       WHERE position IS NULL AND org_id > $3::uuid AND (SELECT locked FROM own) ORDER BY org_id LIMIT 1)
     UNION ALL
     SELECT (SELECT e.org_id FROM domain_events e
              WHERE e.position IS NULL AND e.org_id > o.org_id ORDER BY e.org_id LIMIT 1), n + 1
       FROM orgs o WHERE o.org_id IS NOT NULL AND n < $2::int
   ), batch AS MATERIALIZED (
     SELECT greatest(1, $2::int / greatest(1, count(org_id)))::int AS share,
            (SELECT org_id FROM orgs WHERE n = $2::int) AS last_org_id
       FROM orgs
   ), first AS MATERIALIZED (
     SELECT e.id FROM orgs o
      CROSS JOIN LATERAL (SELECT id FROM domain_events
                           WHERE org_id = o.org_id AND position IS NULL
                           ORDER BY id LIMIT (SELECT share FROM batch)) e
   ), positioned AS (
     UPDATE domain_events e SET position = p.position
       FROM (SELECT id, nextval('domain_event_positions') AS position
               FROM (SELECT id FROM first ORDER BY id) ordered) p
      WHERE e.id = p.id AND coalesce(e.position, 0) = 0
     RETURNING e.position, e.event, e.created_at, e.org_id
   )
   SELECT p.position, p.event, p.created_at, p.org_id, b.share, b.last_org_id, o.locked
     FROM own o CROSS JOIN batch b LEFT JOIN positioned p ON true ORDER BY p.position`,
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

/**
 * Locks the rows of the audit log among the events: those that have no position yet, and those at places, by their organizations ($1)
 * and positions ($2). As text: the database cannot look into each JSON that it keeps.
 */
export const LOCK_RECORDED = new Statement<{ readonly id: string; readonly event: string }>(
  `SELECT id, event::text AS event FROM domain_events
    WHERE kind = 'audit.recorded' AND id IN (
      SELECT id FROM domain_events WHERE position IS NULL AND kind = 'audit.recorded'
      UNION ALL
      SELECT e.id FROM unnest($1::uuid[], $2::bigint[]) AS p (org_id, position)
        JOIN domain_events e ON e.org_id = p.org_id AND e.position = p.position)
    ORDER BY id FOR UPDATE`,
);

/** Replaces the texts ($2) of events ($1), which are locked. */
export const REPLACE_EVENTS = new Statement<{ readonly id: string }>(
  `UPDATE domain_events e SET event = new.event
     FROM unnest($1::bigint[], $2::json[]) AS new (id, event) WHERE e.id = new.id
   RETURNING e.id`,
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
