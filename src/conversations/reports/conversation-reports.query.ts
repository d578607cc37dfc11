import { Statement } from '../../database';

/** By hand because several calls of one agent server may make the same record at once. */
export const ADOPT_CONVERSATION = new Statement(
  `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
   VALUES ($1, $2, $3, $4, 'ready', 'idle') ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/**
 * By hand because reports come with every batch of events, and one statement both compares with what is stored and
 * writes (docs/decisions/0009-sql-by-hand.md).
 */
export const APPLY_REPORT = new Statement(
  `UPDATE conversations SET
     execution_status = coalesce($2, execution_status),
     title = CASE WHEN $3::text IN (told_title, forwarded_title) THEN title ELSE coalesce($3, title) END,
     told_title = coalesce($3, told_title),
     llm_model = coalesce($4, llm_model),
     agent_kind = coalesce($5, agent_kind),
     accumulated_cost = greatest(accumulated_cost, $6),
     prompt_tokens = greatest(prompt_tokens, $7),
     completion_tokens = greatest(completion_tokens, $8),
     cache_read_tokens = greatest(cache_read_tokens, $9),
     cache_write_tokens = greatest(cache_write_tokens, $10),
     updated_at = greatest(now(), updated_at)
   WHERE id = $1 AND deleted_at IS NULL`,
);
