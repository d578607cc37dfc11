import { PreparedStatement, Statement } from '../../database';
import type { EventFilter } from './event-filter';
import type { SizedEvent, StoredEvent } from './stored-event';
/** A log that is locked. */
export interface LockedLog {
    /** The last number given out. */
    readonly last_seq: string;
    readonly org_id: string;
    /** Bytes of its events. */
    readonly bytes: string;
}
/** Locks the log of a conversation ($1), which is made with its first event. */
export declare const LOCK_LOG: Statement<LockedLog>;
/** Bytes of the events of an organization ($1), as far as they are committed. */
export declare const ORG_BYTES: Statement<{
    readonly bytes: string;
}>;
/** Locks the counters of an organization ($1), and adds them up. */
export declare const LOCK_ORG_BYTES: Statement<{
    readonly bytes: string;
}>;
/** Makes the counters of an organization ($1), which are there before the first of them is locked. */
export declare const MAKE_ORG_BYTES: Statement<object>;
/** Which of several ids ($2) a conversation ($1) has. */
export declare const KNOWN_IDS: Statement<{
    readonly id: string;
}>;
/** Stores events of a conversation ($1) under the numbers after a last one ($2); $7 is how many they are, $8 their bytes. */
export declare const ADD_EVENTS: Statement<object>;
/** The events of several ids ($2). */
export declare const EVENTS_BY_ID: Statement<StoredEvent>;
/** The sizes of the events of several ids ($2), with the texts of those that are small together. */
export declare const SIZES_BY_ID: Statement<SizedEvent>;
/** The last event that is in the agent server's log, too: whole snapshots of the state are not. */
export declare const LAST_LOGGED: Statement<{
    readonly id: string;
}>;
/** How many events were stored, without counting them. */
export declare const LOG_LENGTH: Statement<{
    readonly last_seq: string;
}>;
/** How many bytes the texts have; does not read them. */
export declare const LOG_BYTES: Statement<{
    readonly bytes: string | null;
}>;
/** Where a page of events starts, and in which direction it goes. */
export interface EventPageQuery {
    readonly filter: EventFilter;
    readonly newestFirst: boolean;
    /** The event it starts with, as it is stored. */
    readonly firstId: string | undefined;
    /** How many rows are read at most. */
    readonly limit: number;
}
/** A statement with its parameters. */
interface Bound<Row extends object> {
    readonly statement: Statement<Row>;
    readonly parameters: readonly unknown[];
}
/** The sizes of one page by time, ties by number, with the texts of its beginning. */
export declare function eventPage(conversationId: string, query: EventPageQuery): Bound<SizedEvent>;
/** How many events a filter selects. */
export declare function eventCount(conversationId: string, filter: EventFilter): Bound<{
    readonly count: string;
}>;
/**
 * Some events by time, ties by number, at least one while there are more.
 * @param afterId the last event of the batch before; null for the first batch
 */
export declare function eventBatch(conversationId: string, afterId: string | null): Bound<StoredEvent>;
/** An event at its number; no number says that there is nothing left of the log. */
export interface NumberedRow {
    readonly conversation_id: string;
    readonly last_seq: string;
    readonly seq: string | null;
    readonly kind: string | null;
    readonly payload: string | null;
    /** It is left out: the bytes are used up. */
    readonly is_cut: boolean;
    /** One that follows it is left out. */
    readonly has_rest: boolean;
}
/**
 * The next events of several conversations ($1), each after a number ($2): at most so many of each ($4), and until they
 * have so many bytes together ($5), but one at least, unless it has more bytes than there may be ($6, more than $5; null
 * for any number). Texts are left out unless of certain kinds ($3; null for all).
 */
export declare const EVENTS_AFTER: PreparedStatement<NumberedRow>;
export {};
