import { Statement } from '../../database';
/** Ends the pauses of queues ($1) that have messages; one whose outcome is unknown keeps its settling time. */
export declare const END_PAUSES: Statement<{
    readonly id: string;
}>;
/** Locks the queue ($1), or that of a conversation ($2), whose first message waits for the end of a run. */
export declare const LOCK_WAITING_FOR_RUN: Statement<{
    readonly id: string;
}>;
