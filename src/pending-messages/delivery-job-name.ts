import type { NewJob } from '../jobs';

/** Name of the job that delivers what a queue holds. */
export const DELIVERY_JOB = 'deliver-messages';

/** The job that delivers from a queue; there is at most one that has not begun. */
export function deliveryJob(queueId: string, runAt?: Date): NewJob {
  return { name: DELIVERY_JOB, payload: { queueId }, key: `deliver:${queueId}`, ...(runAt && { runAt }) };
}
