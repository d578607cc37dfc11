export declare class MessageQueue {
    id: string;
    userId: string;
    conversationId: string | null;
    earlyKey: string | null;
    orgId: string | null;
    /** Why its conversation can never run again; nothing is taken or delivered any more. */
    closedReason: string | null;
    lastRank: string;
    /** The fencing number of the run that delivers from it, or did so last. */
    fence: string;
    /** Until when that run is sure to be the only one, unless it renews its lease. */
    leasedUntil: Date | null;
    woken: boolean;
    nextAttemptAt: Date | null;
    /** Failures in a row, for the back-off. */
    failures: number;
    createdAt: Date;
}
