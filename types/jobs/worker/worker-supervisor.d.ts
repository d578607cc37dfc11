import type { WorkerSession } from './worker-session';
/** Keeps one worker running: when it loses its lease or its database, a new one replaces it. */
export declare class WorkerSupervisor {
    private readonly prepare;
    private readonly session;
    private readonly retryMs;
    private readonly graceMs;
    private readonly log;
    /** The current worker, and earlier ones whose last jobs are still running. */
    private readonly sessions;
    private stopping;
    private supervision;
    private wake;
    /**
     * @param prepare runs before each worker starts; rejects while the database is unavailable
     * @param session creates a worker that has not started
     * @param retryMs delay between two attempts to start a worker
     * @param graceMs time that running jobs get to finish when the service stops
     */
    constructor(prepare: () => Promise<void>, session: () => WorkerSession, retryMs: number, graceMs: number);
    /** Starts running jobs, as soon as the database is available. */
    start(): void;
    /** Fetches no more jobs, lets running ones finish within the grace time and returns the rest to the queue. */
    stop(): Promise<void>;
    private supervise;
    private work;
    /** A method, since it may change during any await. */
    private isStopping;
    private pause;
    private warn;
}
