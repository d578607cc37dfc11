import { PreparedStatement } from '../../../kernel/database';

/*
 * What the log of domain events has of single conversations. By hand because pages of many conversations are read with one
 * statement, along the indexes of the log (docs/decisions/0038-streams.md).
 */

/** Something that happened to a conversation or its sandbox. */
export interface NewsRow {
  readonly conversation_id: string;
  readonly position: string;
  readonly event: unknown;
  readonly created_at: Date;
}

const COLUMNS = 'position, event, created_at';

/**
 * What happened next to several conversations ($1) and their sandboxes, each after a position ($2), at most so much of each
 * ($3). What their agents report is left out: the log of the conversation has it.
 */
export const NEWS_AFTER = new PreparedStatement<NewsRow>(
  'event-streams-news-after',
  `SELECT w.id AS conversation_id, e.position, e.event, e.created_at
     FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS w (id, after, n)
     JOIN conversations c ON c.id = w.id
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM (
        (SELECT ${COLUMNS} FROM domain_events
          WHERE conversation_id = w.id AND position > w.after AND position IS NOT NULL AND kind <> 'event.received'
          ORDER BY position LIMIT $3)
        UNION ALL
        (SELECT ${COLUMNS} FROM domain_events
          WHERE event ->> 'sandbox_id' = c.sandbox_id::text AND position > w.after AND position IS NOT NULL
            AND kind = 'sandbox.status_changed'
          ORDER BY position LIMIT $3)) found
       ORDER BY position LIMIT $3) e
    ORDER BY w.n, e.position`,
);

/** The position of what happened last to a conversation ($1) or its sandbox; 0 for nothing. */
export const LAST_NEWS = new PreparedStatement<{ readonly position: string }>(
  'event-streams-last-news',
  `SELECT greatest(
     (SELECT max(position) FROM domain_events
       WHERE conversation_id = $1 AND position IS NOT NULL AND kind <> 'event.received'),
     (SELECT max(position) FROM domain_events
       WHERE event ->> 'sandbox_id' = (SELECT sandbox_id::text FROM conversations WHERE id = $1)
         AND position IS NOT NULL AND kind = 'sandbox.status_changed'),
     0) AS position`,
);

/**
 * The position after which something happened to a conversation ($1) that its reader may lack who has its events up to a
 * number ($2): that of what happened a while ($3) before the last of them was stored; 0 where that is not known any more.
 */
export const NEWS_POSITION = new PreparedStatement<{ readonly position: string }>(
  'event-streams-news-position',
  `WITH received AS (
     SELECT created_at FROM domain_events
      WHERE conversation_id = $1 AND position IS NOT NULL AND kind = 'event.received'
        AND event ->> 'event_id' = (SELECT id FROM events WHERE conversation_id = $1 AND seq = $2)
      ORDER BY position DESC LIMIT 1)
   SELECT coalesce((
     SELECT e.position FROM received JOIN domain_events e ON e.created_at < received.created_at - $3::interval
      WHERE e.conversation_id = $1 AND e.position IS NOT NULL AND e.kind <> 'event.received'
      ORDER BY e.position DESC LIMIT 1), 0) AS position`,
);
