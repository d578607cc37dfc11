import { Statement } from '../../database';
import { REPORTED_FIELDS } from '../record/conversation.query';

/** By hand because several calls of one agent server may make the same record at once. */
export const ADOPT_CONVERSATION = new Statement(
  `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
   VALUES ($1, $2, $3, $4, 'ready', 'idle') ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/** What a client sees of a report in the record. */
const SHOWN = ['execution_status', ...REPORTED_FIELDS];

const columnsOf = (table: string): string => SHOWN.map((column) => `${table}.${column}`).join(', ');

/**
 * By hand because reports come with every batch of events, and one statement both compares with what is stored and
 * writes (docs/decisions/0009-sql-by-hand.md). `updated_at` moves with what a client sees, and with new events ($14).
 */
export const APPLY_REPORT = new Statement(
  `WITH reported AS (
     SELECT id,
       coalesce($2, execution_status) AS execution_status,
       CASE WHEN $3::text IN (told_title, forwarded_title) THEN title ELSE coalesce($3, title) END AS title,
       coalesce($3, told_title) AS told_title,
       coalesce($4, llm_model) AS llm_model,
       coalesce($5, agent_kind) AS agent_kind,
       greatest(accumulated_cost, $6) AS accumulated_cost,
       greatest(prompt_tokens, $7) AS prompt_tokens,
       greatest(completion_tokens, $8) AS completion_tokens,
       greatest(cache_read_tokens, $9) AS cache_read_tokens,
       greatest(cache_write_tokens, $10) AS cache_write_tokens,
       greatest(reasoning_tokens, $11) AS reasoning_tokens,
       greatest(context_window, $12) AS context_window,
       coalesce(nullif($13::bigint, 0), per_turn_tokens) AS per_turn_tokens
     FROM conversations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
   )
   UPDATE conversations c SET
     (${SHOWN.join(', ')}, told_title) = (SELECT ${columnsOf('r')}, r.told_title),
     updated_at = CASE WHEN $14 OR (${columnsOf('c')}) IS DISTINCT FROM (${columnsOf('r')})
                       THEN greatest(now(), c.updated_at) ELSE c.updated_at END
   FROM reported r
   WHERE c.id = r.id
     AND ($14 OR (${columnsOf('c')}, c.told_title) IS DISTINCT FROM (${columnsOf('r')}, r.told_title))`,
);
