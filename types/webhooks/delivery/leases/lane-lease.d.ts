import type { Clock } from '../../../common';
/** The lane belongs to another worker, or may: this one must neither send nor write any more. */
export declare class LaneLostError extends Error {
    constructor();
}
/** A worker's right to be the only one that delivers from a lane, renewed while it lasts. */
export declare class LaneLease {
    readonly webhookId: string;
    readonly lane: string;
    readonly fence: string;
    private readonly clock;
    private heldUntil;
    private readonly over;
    /**
     * @param fence which no other lease of any lane has
     * @param heldUntil by the monotonic clock
     */
    constructor(webhookId: string, lane: string, fence: string, clock: Clock, heldUntil: number);
    /** Aborted with the end of the lease: nothing may be on a wire any more. */
    get signal(): AbortSignal;
    /** Ends it, once it has lapsed. */
    get isHeld(): boolean;
    /** Nothing once it is over. @param until by the monotonic clock */
    renew(until: number): void;
    /** To be called right before a request. @throws LaneLostError */
    assertHeld(): void;
    end(): void;
}
