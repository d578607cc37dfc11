import type { EntityManager } from 'typeorm';
/** A job to be added. */
export interface NewJob {
    /** Selects the handlers; see `hostBound` for jobs of one host. */
    readonly name: string;
    readonly payload: unknown;
    /**
     * Deduplicates waiting jobs: adding another one with the same key replaces it. A job that is already running
     * is left alone, and the new one may run at the same time.
     */
    readonly key?: string;
    /** How a waiting job with the same key is replaced: entirely (`replace`, the default), or all but its `runAt`. */
    readonly keyMode?: 'replace' | 'preserve_run_at';
    /** Default: immediately. */
    readonly runAt?: Date;
    readonly maxAttempts?: number;
    /**
     * Jobs of one queue run one at a time across all replicas, so that they cannot occupy every worker. A failed
     * job does not block the next one.
     */
    readonly queue?: string;
}
/**
 * The queue of jobs of one kind that wait for the same server: one that hangs takes one worker's place, whatever else
 * waits for it.
 */
export declare function queueOfServer(kind: string, baseUrl: string): string;
/** One SQL statement with its parameters. */
export type Statement = readonly [sql: string, parameters: unknown[]];
/** The statement that adds a job. */
export declare function addJobStatement(job: NewJob): Statement;
/** Adds jobs: work that outlives the request. */
export declare class JobQueue {
    /**
     * Adds a job; workers see it if and when the transaction commits.
     * @param transaction the one of the change that needs the job
     */
    add(transaction: EntityManager, job: NewJob): Promise<void>;
    /** Whether a job with a key waits or runs. */
    has(manager: EntityManager, key: string): Promise<boolean>;
    /** Removes the job with a key; one that runs ends, and is not tried again. */
    remove(manager: EntityManager, key: string): Promise<void>;
    /** Adds any number of jobs in one statement, sorted by key so that concurrent calls cannot deadlock. */
    addAll(transaction: EntityManager, jobs: readonly Omit<NewJob, 'keyMode'>[]): Promise<void>;
}
