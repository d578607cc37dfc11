import { Statement } from '../../../kernel/database';

/*
 * What has not been active for long, in the order in which it was last. By hand because whether something may go depends on
 * tables of several modules: on conversations, their sandboxes, starts and queues (docs/retention.md#what-activity-is).
 */

/** Something that was not active after a time. */
export interface DueRow {
  readonly id: string;
  /** When it was last active. */
  readonly at: Date;
  /** How many go with it. */
  readonly items: number;
  /** Null where that is not known. */
  readonly bytes: number | null;
  /** Whether it may go: nothing waits for it, runs, or holds it. */
  readonly is_due: boolean;
  /** The sandbox of a conversation whose events these are. */
  readonly sandbox_id: string | null;
}

/** Where a page begins: after what was last active then, and has this id. */
export interface DueCursor {
  readonly at: Date | '-infinity';
  readonly id: string;
}

export const BEGINNING: DueCursor = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The statements about things of one kind in an organization ($1) that were not active since a time ($2). */
export interface DueStatements {
  /** Some of them after another ($3, $4), at most so many ($5), those that may not go among them. */
  readonly page: Statement<DueRow>;
  /** Some of them once more ($3). */
  readonly again: Statement<DueRow>;
}

/** Both statements of a query. @param query is given what follows its conditions */
function both(order: string, id: string, query: (rest: string) => string): DueStatements {
  return {
    page: new Statement(query(`AND (${order}, ${id}) > ($3, $4) ORDER BY ${order}, ${id} LIMIT $5`)),
    again: new Statement(query(`AND ${id} = ANY ($3) ORDER BY ${order}, ${id}`)),
  };
}

/** SQL for whether a sandbox is in use, or is about to be. @param s its row */
const isInUse = (s: string): string =>
  `(${s}.status IN ('STARTING', 'RUNNING') OR ${s}.stopping IS NOT NULL OR ${s}.resumes_with_host)`;

/** SQL for whether a conversation was not active since a time ($2), and nothing waits for it or holds it. @param c its row */
const isIdle = (c: string): string => `(
  ${c}.updated_at < $2 AND ${c}.start_state <> 'starting' AND NOT is_held(${c}.id)
  AND NOT EXISTS (SELECT FROM start_tasks t WHERE t.conversation_id = ${c}.id AND t.status NOT IN ('READY', 'ERROR'))
  AND NOT EXISTS (SELECT FROM sandboxes s
                   WHERE s.id = ${c}.sandbox_id AND (${isInUse('s')} OR s.last_activity_at >= $2))
  AND NOT EXISTS (SELECT FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
                   WHERE q.conversation_id = ${c}.id
                     AND (m.state IN ('queued', 'delivering')
                          OR coalesce(m.delivered_at, m.failed_at, m.created_at) >= $2)))`;

/** Conversations with all below them: as old as the one that was active last, and none goes unless all may. */
export const DUE_CONVERSATIONS = both(
  'c.updated_at',
  'c.id',
  (rest) => `
  WITH RECURSIVE roots AS MATERIALIZED (
    SELECT c.id, c.updated_at FROM conversations c
     WHERE c.org_id = $1 AND c.deleted_at IS NULL AND c.updated_at < $2
       AND NOT EXISTS (SELECT FROM conversations p WHERE p.id = c.parent_conversation_id AND p.deleted_at IS NULL)
       ${rest}
  ), family AS (
    SELECT r.id AS root, r.id FROM roots r
    UNION
    SELECT f.root, c.id FROM family f JOIN conversations c ON c.parent_conversation_id = f.id WHERE c.deleted_at IS NULL
  )
  SELECT r.id, r.updated_at AS at, m.items, m.bytes, m.is_due, NULL AS sandbox_id
    FROM roots r JOIN (
      SELECT f.root, count(*)::int AS items, coalesce(sum(l.bytes), 0)::float8 AS bytes, bool_and(${isIdle('c')}) AS is_due
        FROM family f JOIN conversations c ON c.id = f.id LEFT JOIN event_logs l ON l.conversation_id = c.id
       GROUP BY f.root) m ON m.root = r.id
   ORDER BY r.updated_at, r.id`,
);

/** Conversations that were deleted before then, by their creators, and still hold what they did. */
export const DUE_DELETED = both(
  'c.deleted_at',
  'c.id',
  (rest) => `
  SELECT c.id, c.deleted_at AS at, 1 AS items, coalesce(l.bytes, 0)::float8 AS bytes, NOT is_held(c.id) AS is_due,
         NULL AS sandbox_id
    FROM conversations c LEFT JOIN event_logs l ON l.conversation_id = c.id
   WHERE c.org_id = $1 AND c.deleted_at IS NOT NULL AND c.emptied_at IS NULL AND c.expired_at IS NULL
     AND c.deleted_at < $2 ${rest}`,
);

/** Conversations, as far as they have events. */
export const DUE_EVENTS = both(
  'c.updated_at',
  'c.id',
  (rest) => `
  SELECT c.id, c.updated_at AS at, coalesce(l.last_seq - l.removed_seq, 0)::float8 AS items,
         coalesce(l.bytes, 0)::float8 AS bytes, coalesce(l.last_seq > l.removed_seq, false) AND ${isIdle('c')} AS is_due,
         c.sandbox_id
    FROM (SELECT c.* FROM conversations c
           WHERE c.org_id = $1 AND c.deleted_at IS NULL AND c.updated_at < $2 ${rest}) c
    LEFT JOIN event_logs l ON l.conversation_id = c.id
   ORDER BY c.updated_at, c.id`,
);

/** Queued messages that are done. */
export const DUE_MESSAGES = both(
  'coalesce(m.delivered_at, m.failed_at, m.created_at)',
  'm.id',
  (rest) => `
  SELECT m.id, coalesce(m.delivered_at, m.failed_at, m.created_at) AS at, 1 AS items, octet_length(m.content)::float8 AS bytes,
         NOT EXISTS (SELECT FROM pending_messages d WHERE d.queue_id = m.queue_id AND d.state = 'delivering')
         AND NOT EXISTS (SELECT FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
                           LEFT JOIN sandboxes s ON s.id = c.sandbox_id
                          WHERE q.id = m.queue_id AND (is_held(c.id) OR ${isInUse('s')})) AS is_due,
         NULL AS sandbox_id
    FROM pending_messages m
   WHERE m.org_id = $1 AND m.state IN ('delivered', 'failed', 'cancelled')
     AND coalesce(m.delivered_at, m.failed_at, m.created_at) < $2 ${rest}`,
);

/** Deliveries that are completed, of each endpoint by itself: its index has their order. */
export const DUE_DELIVERIES: DueStatements = {
  page: new Statement(
    `SELECT d.* FROM webhooks w CROSS JOIN LATERAL (
       SELECT d.id, d.created_at AS at, 1 AS items, octet_length(d.data)::float8 AS bytes,
              d.state <> 'pending' AND d.completed_at < $2 AND NOT coalesce(is_held(d.conversation_id), false) AS is_due,
              NULL AS sandbox_id
         FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.created_at < $2 AND (d.created_at, d.id) > ($3, $4)
        ORDER BY d.created_at, d.id LIMIT $5) d
      WHERE w.org_id = $1 ORDER BY d.at, d.id LIMIT $5`,
  ),
  again: new Statement(
    `SELECT d.id, d.created_at AS at, 1 AS items, octet_length(d.data)::float8 AS bytes, true AS is_due, NULL AS sandbox_id
       FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE w.org_id = $1 AND d.completed_at < $2 AND d.id = ANY ($3) AND NOT coalesce(is_held(d.conversation_id), false)`,
  ),
};

/**
 * Sandboxes that are paused, or have failed, with what they keep: none goes unless all conversations in it have been idle, and none
 * of a person who is held.
 */
const KEPT_SANDBOXES = (rest: string): string => `
  SELECT s.id, s.last_activity_at AS at, 1 AS items, NULL::float8 AS bytes,
         s.last_activity_at < $2 AND NOT ${isInUse('s')}
         AND NOT EXISTS (SELECT FROM legal_holds h
                          WHERE h.lifted_at IS NULL AND h.org_id = s.org_id AND h.user_id = s.created_by_user_id)
         AND NOT EXISTS (SELECT FROM conversations c
                          WHERE c.sandbox_id = s.id AND c.deleted_at IS NULL AND NOT ${isIdle('c')}) AS is_due,
         NULL AS sandbox_id
    FROM sandboxes s
   WHERE s.org_id = $1 AND s.status IN ('PAUSED', 'ERROR') AND s.stopping IS NULL ${rest} ORDER BY s.id`;

/** In the order of their ids, which is that of their locks: the time of the cursor ($3) says nothing. */
export const DUE_ARCHIVES: DueStatements = {
  page: new Statement(`${KEPT_SANDBOXES('AND s.id > $4 AND ($3::timestamptz IS NOT NULL)')} LIMIT $5`),
  again: new Statement(KEPT_SANDBOXES('AND s.id = ANY ($3)')),
};

/** Deleted conversations of an organization ($1) that are to be emptied, at most so many ($2). */
export const EXPIRED_CONVERSATIONS = new Statement<{ readonly id: string }>(
  `SELECT c.id FROM conversations c
    WHERE c.org_id = $1 AND c.expired_at IS NOT NULL AND c.emptied_at IS NULL AND NOT is_held(c.id)
    ORDER BY c.id LIMIT $2`,
);

/** Organizations after one ($1), at most so many ($2), in which something may be due: all ($3), or those that say so themselves. */
export const ORGANIZATIONS_TO_RUN = new Statement<{ readonly id: string }>(
  `SELECT o.id FROM organizations o
    WHERE o.id > $1 AND ($3
       OR EXISTS (SELECT FROM org_retention r WHERE r.org_id = o.id)
       OR EXISTS (SELECT FROM retention_runs r WHERE r.org_id = o.id AND r.removed <> '{}')
       OR EXISTS (SELECT FROM conversations c
                   WHERE c.org_id = o.id AND c.expired_at IS NOT NULL AND c.emptied_at IS NULL))
    ORDER BY o.id LIMIT $2`,
);

/** Whether an organization ($1) is there. */
export const ORGANIZATION = new Statement<{ readonly id: string }>(
  'SELECT id FROM organizations WHERE id = $1',
);

/**
 * Keeps legal holds of an organization ($1) from being made until the transaction has ended: one is made before what it removes is
 * looked at, or after it.
 */
export const KEEP_HOLDS_AWAY = new Statement<{ readonly id: string }>(
  'SELECT id FROM organizations WHERE id = $1 FOR SHARE',
);
