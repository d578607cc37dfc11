import { Statement } from '../../../kernel/database';

/*
 * By hand because figures are added up by the database, and columns that triggers keep are written.
 */

/** Adds the figures of conversations ($1), which are about to be removed, to those of all that were. */
export const KEEP_FIGURES = new Statement(
  `INSERT INTO conversation_usage_removed AS held
   SELECT org_id, coalesce(left(llm_model, 255), ''), count(*), sum(conversation_money(accumulated_cost)), sum(prompt_tokens),
          sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens)
     FROM conversations WHERE id = ANY ($1) AND deleted_at IS NULL GROUP BY 1, 2
   ON CONFLICT (org_id, llm_model) DO UPDATE SET
     conversations = held.conversations + EXCLUDED.conversations,
     accumulated_cost = held.accumulated_cost + EXCLUDED.accumulated_cost,
     prompt_tokens = held.prompt_tokens + EXCLUDED.prompt_tokens,
     completion_tokens = held.completion_tokens + EXCLUDED.completion_tokens,
     cache_read_tokens = held.cache_read_tokens + EXCLUDED.cache_read_tokens,
     cache_write_tokens = held.cache_write_tokens + EXCLUDED.cache_write_tokens`,
);

/** Decides that deleted conversations ($1) are emptied. Returns those of which this was not decided yet. */
export const MARK_EXPIRED = new Statement<{ readonly id: string }>(
  `UPDATE conversations SET expired_at = now()
    WHERE id = ANY ($1) AND deleted_at IS NOT NULL AND expired_at IS NULL AND emptied_at IS NULL RETURNING id`,
);

/** Locks conversations ($1). */
export const LOCK_EXPIRED = new Statement<{ readonly id: string }>(
  `SELECT id FROM conversations WHERE id = ANY ($1) AND expired_at IS NOT NULL ORDER BY id FOR NO KEY UPDATE`,
);

/** Removes the texts of deleted conversations ($1); ids, times and figures stay. */
export const EMPTY_RECORDS = new Statement(
  `UPDATE conversations SET title = NULL, reported_title = NULL, forwarded_title = NULL, selected_repository = NULL,
          selected_branch = NULL, git_provider = NULL, pr_number = '{}', pr_merged = NULL, tags = '{}', emptied_at = now()
    WHERE id = ANY ($1) AND deleted_at IS NOT NULL`,
);

/** Removes from conversations ($1) what a trigger has kept of {@link EMPTY_RECORDS}. */
export const EMPTY_KEPT_REPOSITORY = new Statement(
  `UPDATE conversations SET started_repository = '' WHERE id = ANY ($1) AND started_repository <> ''`,
);

/** Deletes the start tasks of conversations ($1). */
export const DELETE_STARTS_OF = new Statement(
  'DELETE FROM start_tasks WHERE conversation_id = ANY ($1) RETURNING id',
);
