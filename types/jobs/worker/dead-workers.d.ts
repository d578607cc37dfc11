import type { Pool } from 'pg';
export interface DeadWorkerLimits {
    /** Duration of a lease in milliseconds. */
    readonly leaseMs: number;
    /** Grace period after a lease has expired, in which its worker is certain to notice the loss itself. */
    readonly marginMs: number;
}
/**
 * Unlocks the jobs of workers whose lease has expired; only one replica at a time does so.
 * Right after the database has started no worker is considered dead, since all heartbeats are old then.
 * @param alsoUnknown also unlock jobs whose worker has no heartbeat at all
 * @returns ids of the workers whose jobs were unlocked
 */
export declare function freeDeadWorkers(pool: Pool, limits: DeadWorkerLimits, alsoUnknown: boolean): Promise<string[]>;
/** Unlocks the jobs of a worker that has ended, and deletes its heartbeat. */
export declare function freeWorker(pool: Pool, workerId: string): Promise<void>;
