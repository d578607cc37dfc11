import { Statement } from '../../../kernel/database';

/*
 * By hand because which conversations count for a budget depends on its scope, and where their agents run on sandboxes.
 */

/** The conversations that count for a budget ($1) and whose agents run, behind one of them ($2), at most so many ($3); of a budget for each user those of one ($4). */
export const AGENTS_OF_BUDGET = new Statement<{ readonly id: string; readonly base_url: string }>(
  `SELECT c.id, s.base_url
     FROM budgets b
     JOIN sandboxes s ON s.org_id = b.org_id AND s.status = 'RUNNING' AND s.base_url IS NOT NULL
     JOIN conversations c ON c.sandbox_id = s.id AND c.org_id = b.org_id
    WHERE b.id = $1 AND c.id > $2 AND c.deleted_at IS NULL AND c.start_state = 'ready'
      AND c.execution_status = 'running' AND ($4::uuid IS NULL OR c.created_by_user_id = $4)
      AND EXISTS (SELECT FROM budgets_of(c.org_id, c.id, c.created_by_user_id, c.selected_repository, c.tags) o
                   WHERE o.id = b.id)
    ORDER BY c.id LIMIT $3`,
);
