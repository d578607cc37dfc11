import { PreparedStatement, Statement } from '../../database';
/** Adds events: their organizations ($1), conversations ($2), kinds ($3) and texts ($4), in their order. */
export declare const ADD_DOMAIN_EVENTS: Statement<object>;
/** An event that has its position now. */
export interface PositionedRow {
    readonly position: string;
    readonly event: unknown;
    readonly created_at: Date;
}
/** Whether there is an event without a position. */
export declare const HAS_UNPOSITIONED: PreparedStatement<{
    readonly found: boolean;
}>;
/**
 * Gives positions to the first events without one, at most so many ($2), unless another replica holds the lock ($1) to
 * do so, which ends with the transaction. A row that another replica has numbered since this statement began is left alone.
 */
export declare const POSITION_EVENTS: Statement<PositionedRow>;
/**
 * Deletes the oldest events, at most so many ($2), as far as they are older than an interval ($1), and notes up to where
 * the log of each organization is gone.
 */
export declare const DELETE_OLD_EVENTS: Statement<{
    readonly id: string;
}>;
/** Where the log of an organization ($1) ends, and the last position that was given to any event. */
export declare const LOG_BOUNDS: Statement<{
    readonly last: string;
    readonly given: string;
}>;
/** An event of an organization in its place; none where only the beginning of what was asked for is gone. */
export interface OrgEventRow extends Omit<PositionedRow, 'position'> {
    readonly org_id: string;
    readonly position: string | null;
    /** Up to here what was asked for is gone; null where nothing of it is. */
    readonly gone: string | null;
}
/**
 * The next events of several organizations ($1), each after a position ($2), at most so many of each ($3), and up to
 * where they are gone: as it is when they are read, for they may be deleted while a reader reads page by page.
 */
export declare const EVENTS_AFTER: PreparedStatement<OrgEventRow>;
