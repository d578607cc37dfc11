import type { NewJob } from '../../../../kernel/jobs';
import type { StartTask } from '../../start-tasks/start-task.entity';

type Task = Pick<StartTask, 'id' | 'traceContext'>;

/** Name of the job that starts conversations. */
export const START_JOB = 'start-conversation';

/** The job that goes on with a start task; there is at most one that has not begun. */
export function startJob({ id: taskId, traceContext }: Task, runAt?: Date): NewJob {
  return {
    name: START_JOB,
    payload: { taskId },
    key: `start:${taskId}`,
    traceContext,
    ...(runAt && { runAt }),
  };
}
