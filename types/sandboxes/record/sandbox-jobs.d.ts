import { type NewJob } from '../../jobs';
/** Name of the job that brings a sandbox to its desired state, as the database has it. */
export declare const RECONCILE = "sandbox-drive";
/**
 * That job for one sandbox; it waits in one copy only.
 * @param runAt default: at once
 */
export declare function reconcileJob(sandbox: {
    id: string;
    hostId: string | null;
}, runAt?: Date): NewJob;
