import type { NewJob } from '../../../jobs';
/** Name of the job that starts conversations. */
export declare const START_JOB = "start-conversation";
/** The job that goes on with a start task; there is at most one that has not begun. */
export declare function startJob(taskId: string, runAt?: Date): NewJob;
