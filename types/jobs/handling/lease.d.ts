import type { Clock } from '../../common';
/** The lease of a worker, as a running job sees it. */
export interface JobLease {
    /**
     * Fencing token: higher than that of every earlier run, of this job or any other. An update that is guarded
     * by `fence <= :fence` and writes it cannot overwrite the work of a later run.
     */
    readonly fence: number;
    /** False once other workers may consider this process dead, by its own monotonic clock. */
    isHeld(): boolean;
    /**
     * Call it right before a network write, which no database can fence. A gap remains between this call and the
     * bytes leaving the process: a process that is suspended right there for longer than its lease writes late.
     * @throws LeaseLostError
     */
    assertHeld(): void;
}
/**
 * The right of a worker to run jobs: renewed by every heartbeat, expired when heartbeats fail for too long
 * (docs/decisions/0005-leases-and-fencing.md).
 */
export declare class WorkerLease {
    private readonly clock;
    readonly lengthMs: number;
    private heldUntil;
    private ended;
    /** @param lengthMs how long the lease lasts after a heartbeat */
    constructor(clock: Clock, lengthMs: number);
    /** @param askedAt when the heartbeat was sent, which is never later than when the database recorded it */
    renewed(askedAt: number): void;
    /** Ends the lease for good. */
    end(): void;
    isHeld(): boolean;
    assertHeld(): void;
    /** The lease as seen by one run of a job. */
    forRun(fence: number): JobLease;
}
