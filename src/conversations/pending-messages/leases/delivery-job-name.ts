import type { NewJob } from '../../../kernel/jobs';

/** Name of the job that delivers the messages of a queue. */
export const DELIVERY_JOB = 'deliver-messages';

/** The job that delivers from a queue, unless a run does so already. */
export function deliveryJob(queueId: string, runAt?: Date): NewJob {
  return {
    name: DELIVERY_JOB,
    payload: { queueId },
    key: `deliver:${queueId}`,
    ...(runAt && { runAt }),
  };
}

/** The job after a change that ends pauses: a run that is about to pause has to read the queue again. */
export function wakeJob(queueId: string): NewJob {
  return { name: DELIVERY_JOB, payload: { queueId, wakes: true }, key: `wake:${queueId}` };
}
