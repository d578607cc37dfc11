import { DataSource } from 'typeorm';
/** An event of a conversation at its number. */
export interface NumberedEvent {
    readonly seq: number;
    readonly kind: string;
    /** Its JSON text as it was received; null for one of a kind that was not asked for. */
    readonly payload: string | null;
}
/** The next events of a conversation. */
export interface EventLogPage {
    readonly events: readonly NumberedEvent[];
    /** The last number of the conversation. */
    readonly last: number;
    /** Whether events were left out; else those up to the last number that are not here are gone. */
    readonly hasMore: boolean;
}
/** What is read at once. */
export interface EventLogPageLimits {
    /** Null for all kinds. */
    readonly kinds: readonly string[] | null;
    /** Most events of each conversation. */
    readonly events: number;
    /** So many bytes together, or one event. */
    readonly bytes: number;
    /** An event of more bytes ends the page before it; null for any number. */
    readonly largest: number | null;
}
/** Reads the events of conversations in the order in which they were stored. */
export declare class EventLogReader {
    private readonly database;
    constructor(database: DataSource);
    /** The number of a conversation's last event; 0 without any. */
    last(conversationId: string): Promise<number>;
    /**
     * The next events of several conversations.
     * @param cursors after which number, by conversation
     * @returns pages of those that have more; one may be without events while others fill the bytes, and where the next
     *   one is too large
     */
    after(cursors: ReadonlyMap<string, number>, { kinds, events, bytes, largest }: EventLogPageLimits): Promise<ReadonlyMap<string, EventLogPage>>;
}
