import { Statement } from '../../../../kernel/database';
import type { StartTask } from '../../start-tasks/start-task.entity';

/**
 * Start tasks that are past their deadline, or that nobody has touched for an interval ($1) and that no job is
 * planned for. By hand because it looks at the jobs, which are not ours to map.
 */
export const OVERDUE_STARTS = new Statement<Pick<StartTask, 'id' | 'traceContext'>>(
  `SELECT id, trace_context AS "traceContext" FROM start_tasks
    WHERE status NOT IN ('READY', 'ERROR')
      AND (deadline_at < now()
           OR updated_at < now() - $1::interval
              AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j
                               WHERE j.key = 'start:' || start_tasks.id AND j.attempts < j.max_attempts))
    LIMIT 100`,
);
