import { type ColumnsOf, Statement } from '../../../kernel/database';
import type { Conversation } from '../record/conversation.entity';

/** By hand because several calls of one agent server may make the same record at once. */
export const ADOPT_CONVERSATION = new Statement(
  `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
   VALUES ($1, $2, $3, $4, 'ready', 'idle') ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/** The columns of a report that clients see. */
const SHOWN = [
  'execution_status',
  'title',
  'llm_model',
  'agent_kind',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'context_window',
  'per_turn_tokens',
] as const satisfies readonly (keyof ColumnsOf<Conversation, keyof Conversation>)[];

const columnsOf = (table: string): string => SHOWN.map((column) => `${table}.${column}`).join(', ');

/** What a record has after a report, from the row `c` as it is. */
const REPORTED = `
  SELECT
    coalesce($2, c.execution_status) AS execution_status,
    CASE WHEN $3::text IN (c.reported_title, c.forwarded_title) THEN c.title ELSE coalesce($3, c.title) END AS title,
    coalesce($3, c.reported_title) AS reported_title,
    coalesce($4, c.llm_model) AS llm_model,
    coalesce($5, c.agent_kind) AS agent_kind,
    greatest(c.accumulated_cost, $6) AS accumulated_cost,
    greatest(c.prompt_tokens, $7) AS prompt_tokens,
    greatest(c.completion_tokens, $8) AS completion_tokens,
    greatest(c.cache_read_tokens, $9) AS cache_read_tokens,
    greatest(c.cache_write_tokens, $10) AS cache_write_tokens,
    greatest(c.reasoning_tokens, $11) AS reasoning_tokens,
    greatest(c.context_window, $12) AS context_window,
    coalesce(nullif($13::bigint, 0), c.per_turn_tokens) AS per_turn_tokens`;

/**
 * By hand because reports come with every batch of events, and one statement both compares with what is stored and
 * writes (docs/decisions/0009-sql-by-hand.md). `updated_at` moves with what a client sees, and with new events ($14).
 * It returns a row if it has written anything. It reads the row that it updates and no other: reading it by a join, once more and locked, makes reports that come at
 * the same time deadlock, for a lock of a version of a row is no lock of the versions before it.
 */
export const APPLY_REPORT = new Statement(
  `UPDATE conversations c SET
     (${SHOWN.join(', ')}, reported_title, updated_at) = (
       SELECT ${columnsOf('r')}, r.reported_title,
              CASE WHEN $14 OR (${columnsOf('c')}) IS DISTINCT FROM (${columnsOf('r')})
                   THEN greatest(now(), c.updated_at) ELSE c.updated_at END
         FROM (${REPORTED}) r)
   WHERE c.id = $1 AND c.deleted_at IS NULL
     AND ($14 OR EXISTS (SELECT 1 FROM (${REPORTED}) r
                          WHERE (${columnsOf('c')}, c.reported_title) IS DISTINCT FROM (${columnsOf('r')}, r.reported_title)))
   RETURNING c.id`,
);
