import type { Clock } from '../../common';
/** The queue belongs to a later run, or may: this one must neither send nor write any more. */
export declare class QueueLeaseLostError extends Error {
    constructor();
}
/**
 * A run's right to be the only one that delivers from a queue, renewed while it lasts. Once it has lapsed it is
 * over for good: another run may have begun to settle what this one was sending
 * (docs/decisions/0005-leases-and-fencing.md).
 */
export declare class QueueLease {
    readonly queueId: string;
    readonly fence: number;
    private readonly clock;
    private heldUntil;
    readonly orphanedMs: number | null;
    private readonly over;
    private timer;
    /**
     * @param heldUntil by the monotonic clock
     * @param orphanedMs how long before this lease one ended that was never given up; null when none did
     */
    constructor(queueId: string, fence: number, clock: Clock, heldUntil: number, orphanedMs: number | null);
    /** Aborted with the end of the lease: nothing of the run may be on a wire any more. */
    get signal(): AbortSignal;
    get isHeld(): boolean;
    /** Nothing once it has lapsed. @param until by the monotonic clock */
    renew(until: number): void;
    /** To be called right before a write to a wire. @throws QueueLeaseLostError */
    assertHeld(): void;
    /** The run is over, or another one has the queue. */
    end(): void;
    /** Checks when it would lapse whether it was renewed meanwhile. */
    private watch;
}
