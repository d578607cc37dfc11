import type { ExecutionStatus } from '../../record/conversation.enums';
import { SANDBOX_COUNTS, type StatsRow } from '../stats/org-stats.read-model';

/** A conversation that failed. */
export interface FailedRow {
  readonly id: string;
  readonly title: string | null;
  readonly user_id: string;
  readonly user_email: string | null;
  readonly updated_at: string;
  readonly start_failed: boolean;
  /** What the task of its start says. */
  readonly start_detail: string | null;
  /** The JSON text of the last failure that its agent reported. */
  readonly reported: string | null;
}

/** How an organization stands, as one row. */
export interface OverviewRow extends Pick<StatsRow, 'sandboxes'> {
  readonly waiting: number;
  readonly oldest_at: string | null;
  readonly deliveries_waiting: number;
  readonly deliveries_failed: number;
  readonly failures: readonly FailedRow[];
}

const MOST_FAILURES = 20;
/** Events of a conversation among which its failure is looked for, and the longest one that is read. */
const LATEST_EVENTS = 50;
const EVENT_BYTES = 65_536;

const FAILED_STATUSES = ['error', 'stuck'] as const satisfies readonly ExecutionStatus[];

/** By the index of what failed, whose condition this repeats. */
const FAILURES = `
  SELECT c.id, c.title, c.created_by_user_id AS user_id,
         (SELECT email FROM users u WHERE u.id = c.created_by_user_id) AS user_email,
         c.updated_at, c.start_state = 'failed' AS start_failed,
         (SELECT detail FROM start_tasks t WHERE t.conversation_id = c.id AND t.status = 'ERROR') AS start_detail,
         (SELECT e.payload FROM (SELECT kind, seq, payload FROM events v WHERE v.conversation_id = c.id
                                  ORDER BY seq DESC LIMIT ${LATEST_EVENTS}) e
           WHERE e.kind = 'ConversationErrorEvent' AND octet_length(e.payload) <= ${EVENT_BYTES}
           ORDER BY e.seq DESC LIMIT 1) AS reported
    FROM conversations c
   WHERE c.org_id = $1 AND c.deleted_at IS NULL AND c.updated_at >= $2
     AND (c.start_state = 'failed' OR c.execution_status IN (${FAILED_STATUSES.map((s) => `'${s}'`).join(', ')}))
   ORDER BY c.updated_at DESC, c.id DESC LIMIT ${MOST_FAILURES}`;

const QUEUED = `
  SELECT count(*) AS waiting, min(m.created_at) AS oldest_at
    FROM pending_messages m WHERE m.state IN ('queued', 'delivering') AND m.org_id = $1`;

const DELIVERIES = `
  SELECT count(*) FILTER (WHERE d.state = 'pending') AS deliveries_waiting,
         count(*) FILTER (WHERE d.state = 'failed') AS deliveries_failed
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT state FROM webhook_deliveries p WHERE p.webhook_id = w.id AND p.state = 'pending'
      UNION ALL
      SELECT state FROM webhook_deliveries f
       WHERE f.webhook_id = w.id AND f.state = 'failed' AND f.completed_at >= $2) d
   WHERE w.org_id = $1`;

/**
 * How an organization ($1) stands, with failures since a time ($2). By hand because one query reads all of it at one moment, from
 * tables of several modules (docs/decisions/0009-sql-by-hand.md).
 */
export const OVERVIEW = `
  SELECT (SELECT coalesce(jsonb_object_agg(status, sandboxes), '{}') FROM (${SANDBOX_COUNTS}) found) AS sandboxes,
         queued.*, deliveries.*,
         (SELECT coalesce(jsonb_agg(found ORDER BY found.updated_at DESC, found.id DESC), '[]') FROM (${FAILURES}) found)
           AS failures
    FROM (${QUEUED}) queued, (${DELIVERIES}) deliveries`;
