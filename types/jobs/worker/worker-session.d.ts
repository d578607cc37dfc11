import type { Pool } from 'pg';
import { type Clock } from '../../common';
import type { JobCounts } from './job-counts';
import type { JobHandlers, Pace } from '../handling/job-handlers';
/** Settings of a worker; heartbeats and margins are fractions of the lease. */
export interface WorkerOptions {
    readonly pace: Pace;
    readonly leaseMs: number;
    readonly concurrency: number;
    readonly pollMs: number;
}
/**
 * One worker, from its first heartbeat to its end. It fetches jobs while it holds its lease; once the lease is
 * lost it ends for good, and the process starts another worker with a new id.
 */
export declare class WorkerSession {
    private readonly db;
    private readonly handlers;
    private readonly clock;
    private readonly options;
    private readonly counts;
    /** Resolves when the worker fetches no more jobs, for whatever reason. */
    readonly ended: Promise<void>;
    private readonly lease;
    private readonly abort;
    private readonly log;
    private readonly pool;
    private readonly interrupted;
    private readonly drained;
    private end;
    private open;
    private beats;
    private closing;
    private beating;
    private freeing;
    private beatCount;
    private failedFetches;
    constructor(db: Pool, handlers: JobHandlers, clock: Clock, options: WorkerOptions, counts: JobCounts);
    /** Writes the first heartbeat and starts to fetch jobs; rejects when the database is unavailable. */
    start(): Promise<void>;
    /** Ends a worker that could not start. */
    discard(): void;
    /** Waits for the last jobs of a worker that fetches no more, and unlocks what it has not finished. */
    drain(): Promise<void>;
    /** Ends the worker: aborts its jobs and, after `graceMs`, returns unfinished ones to the queue. */
    stop(graceMs: number): Promise<void>;
    private tasks;
    private run;
    private nextFence;
    private report;
    /** Delays the next fetch until the lease is held, or the session has ended and the library stops fetching. */
    private whenHeld;
    private nextBeat;
    private renewLease;
    private onHeartbeat;
    private freeDeadWorkers;
    /** Another process declared this worker dead and may run its jobs: everything is abandoned at once. */
    private onLeaseLost;
    /** Ends without waiting for what is running. */
    private shutDown;
    private close;
    private unlockJobs;
}
