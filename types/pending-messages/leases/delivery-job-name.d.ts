import type { NewJob } from '../../jobs';
/** Name of the job that delivers the messages of a queue. */
export declare const DELIVERY_JOB = "deliver-messages";
/** The job that delivers from a queue, unless a run does so already. */
export declare function deliveryJob(queueId: string, runAt?: Date): NewJob;
/** The job after a change that ends pauses: a run that is about to pause has to read the queue again. */
export declare function wakeJob(queueId: string): NewJob;
