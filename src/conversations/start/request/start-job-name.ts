import type { NewJob } from '../../../jobs';

/** Name of the job that starts conversations. */
export const START_JOB = 'start-conversation';

/** The job that goes on with a start task; there is at most one that has not begun. */
export function startJob(taskId: string, runAt?: Date): NewJob {
  return { name: START_JOB, payload: { taskId }, key: `start:${taskId}`, ...(runAt && { runAt }) };
}
