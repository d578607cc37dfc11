/** A worker that may have locked jobs, and until when it counts as alive. */
export declare class WorkerHeartbeat {
    workerId: string;
    /** Host name and process id, for operators. */
    process: string;
    leaseUntil: Date;
}
