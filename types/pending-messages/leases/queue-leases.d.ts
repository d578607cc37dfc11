import { DataSource } from 'typeorm';
import { Clock } from '../../common';
import { type Settings } from '../../config';
import { JobQueue } from '../../jobs';
import { QueueLease } from './queue-lease';
/** Whether a queue could be leased: another run has it, or a later one had it, or it is gone. */
export type LeaseAttempt = {
    readonly kind: 'acquired';
    readonly lease: QueueLease;
} | {
    readonly kind: 'left';
};
/** Gives out leases: one run at a time delivers from a queue, and a dead one is replaced when its lease ends. */
export declare class QueueLeases {
    private readonly database;
    private readonly jobs;
    private readonly clock;
    /** How long a lease lasts that is not renewed. */
    readonly lengthMs: number;
    private readonly held;
    constructor(database: DataSource, jobs: JobQueue, clock: Clock, settings: Settings);
    /**
     * Leases a queue, unless another run has it or a later one had it, which saw all that this one could.
     * @param fence the run's fencing number: higher than those of all earlier runs
     * @param wakes whether a run that has the queue must not pause without reading the queue again
     */
    acquire(queueId: string, fence: number, wakes: boolean): Promise<LeaseAttempt>;
    /**
     * A lease that the database has granted.
     * @param askedAt when it was asked for, by the monotonic clock: the one in the database ends later, never earlier
     */
    begin(queueId: string, fence: number, askedAt: number, orphanedMs: number | null): QueueLease;
    /** Stops renewing it. */
    end(lease: QueueLease): void;
    /**
     * Renews all leases of this process. One whose queue is being written to is left for the next
     * time, so that nothing is waited for; one that has lapsed is left to another run.
     */
    renewAll(): Promise<void>;
    /** Gives queues whose lease has lapsed another run, whichever process had them. */
    requeueLapsed(): Promise<void>;
}
