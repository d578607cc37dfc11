import { type ExhaustedRow, exhaustedBudgetOf } from '../../../agents/budgets';
import { PreparedStatement } from '../../../kernel/database';
import type { MessageColumns } from './delivery.query';

/** A queue with its conversation and its first message. */
export interface HeadColumns extends MessageColumns {
  readonly closed_reason: string | null;
  readonly wait_ms: number | null;
  readonly conversation_id: string | null;
  readonly sandbox_id: string | null;
  /** Without room, and counted in by the conversation; null where all have some. */
  readonly exhausted_budget: ExhaustedRow | null;
  readonly last_rank: string;
  readonly state: 'queued' | 'delivering' | null;
}

/**
 * The queue ($1), its conversation, and its first message: one whose outcome is unknown before all others. By hand, and
 * prepared: every delivery begins with it (docs/decisions/0009-sql-by-hand.md).
 */
export const READ_HEAD = new PreparedStatement<HeadColumns>(
  'message-queue-head',
  `
    SELECT coalesce(q.closed_reason, CASE WHEN NOT c.by_member THEN $2 END) AS closed_reason,
           ceil(extract(epoch FROM q.next_attempt_at - now()) * 1000)::float8 AS wait_ms,
           CASE WHEN c.is_ready THEN c.id END AS conversation_id, c.sandbox_id, c.exhausted_budget, q.last_rank,
           m.id, m.rank, m.state, m.mode, m.role, m.content, m.run, m.mark_event_id
      FROM message_queues q
      LEFT JOIN LATERAL (
        SELECT id, sandbox_id, start_state = 'ready' AND deleted_at IS NULL AS is_ready,
               ${exhaustedBudgetOf('v')} AS exhausted_budget,
               EXISTS (SELECT 1 FROM org_members m
                        WHERE m.org_id = v.org_id AND m.user_id = v.created_by_user_id) AS by_member
          FROM conversations v WHERE v.id = q.conversation_id
      ) c ON true
      LEFT JOIN LATERAL (
        SELECT * FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering')
         ORDER BY state = 'delivering' DESC, rank LIMIT 1
      ) m ON true
     WHERE q.id = $1`,
);
