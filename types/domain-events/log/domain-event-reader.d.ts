import { DataSource } from 'typeorm';
import type { LoggedEvent } from './domain-event-log';
/** What the log has of an organization. */
export interface LogBounds {
    /** The last position of the organization. */
    readonly last: number;
    /** The last position of all: no higher one was given yet. */
    readonly given: number;
}
/** The next events of an organization. */
export interface LogPage {
    /** Events up to this position were asked for and are gone; 0 where none are. */
    readonly gone: number;
    readonly events: readonly LoggedEvent[];
    /** The position up to which nothing was left out. */
    readonly end: number;
    readonly hasMore: boolean;
}
/** Reads the log of organizations in its order; positions fit into numbers for longer than anything lasts. */
export declare class DomainEventReader {
    private readonly database;
    constructor(database: DataSource);
    /** What the log has of an organization. */
    bounds(orgId: string): Promise<LogBounds>;
    /**
     * The next events of several organizations.
     * @param cursors after which position, by organization
     * @param most events of each
     * @returns pages of those that have any, or had
     */
    after(cursors: ReadonlyMap<string, number>, most: number): Promise<ReadonlyMap<string, LogPage>>;
}
