import { Statement } from '../../database';
/**
 * Takes the lease of a queue ($1) for the run with a fence ($2), for $3 milliseconds; not if it changes hands at that
 * moment. The row as it was is read without a lock: locked, it could deadlock with others who wait for the queue.
 */
export declare const ACQUIRE_LEASE: Statement<{
    readonly orphaned_ms: number | null;
}>;
/** The run that has the lease must not pause without reading the queue again ($3). */
export declare const WAKE_RUN: Statement<object>;
/** Whether no later run ($2) has had the queue ($1). */
export declare const HAS_EARLIER_FENCE: Statement<object>;
/** Renews the leases of queues ($1) by their runs ($2) for $3 milliseconds; one that is locked is left out. */
export declare const RENEW_LEASES: Statement<{
    readonly id: string;
}>;
/** Queues whose lease ended without being given up. */
export declare const LAPSED_LEASES: Statement<{
    readonly id: string;
}>;
