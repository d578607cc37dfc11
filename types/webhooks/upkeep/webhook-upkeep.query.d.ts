import { Statement } from '../../database';
/** Deletes deliveries that were completed longer ago than an interval ($1), at most so many ($2), with their attempts. */
export declare const DELETE_COMPLETED: Statement<{
    readonly id: string;
}>;
/** Enabled endpoints with more pending deliveries than so many ($1); no more of them are counted. */
export declare const BACKLOGS: Statement<{
    readonly id: string;
}>;
/** How much is pending, and since when the oldest is. */
export declare const PENDING: Statement<{
    readonly count: number;
    readonly oldest_seconds: number;
}>;
