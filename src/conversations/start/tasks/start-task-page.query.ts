import { columnsOf, Statement } from '../../../database';
import { StartTask } from '../../start-tasks/start-task.entity';

/**
 * A user's ($1) tasks in an organization ($2), newest first, from one ($3) on, of one conversation ($5) if that is
 * wanted ($4); at most $6. By hand because a page begins at a pair of columns, which TypeORM cannot compare.
 */
export const START_TASK_PAGE = new Statement<StartTask>(
  `SELECT ${columnsOf(StartTask, 't', [])} FROM start_tasks t
    WHERE t.created_by_user_id = $1 AND t.org_id = $2
      AND ($3::uuid IS NULL
           OR (t.created_at, t.id) <= (SELECT p.created_at, p.id FROM start_tasks p
                                        WHERE p.id = $3 AND p.created_by_user_id = $1 AND p.org_id = $2))
      AND (NOT $4 OR t.conversation_id = $5)
    ORDER BY t.created_at DESC, t.id DESC LIMIT $6`,
);
