import type { WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
/** What a session observes of the library that fetches its jobs. */
export interface WorkerObserver {
    /** No more jobs are taken. */
    onEnd(): void;
    /** A job was asked for: whether the database answered. */
    onFetch(answered: boolean): void;
}
/**
 * The events of one pool of the library, passed on to its session.
 * @param db connections of the pool: those whose session takes no writes are replaced, for they would refuse jobs
 * for good
 */
export declare function workerEvents(db: Pool, observer: WorkerObserver): WorkerEvents;
