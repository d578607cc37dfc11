import { type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
/** After this the database ends a query of the list; narrower requests stay far below. */
export declare const LIST_TIMEOUT_MS = 3000;
/** How a query is run. */
export interface ListQueryOptions {
    /** Ends the query that runs. */
    readonly gone?: AbortSignal;
    /**
     * Whether the plan is the same whatever the parameters: then each connection parses and plans it a few times
     * only, which for a page takes longer than running it.
     */
    readonly samePlan?: boolean;
}
/**
 * Connections of their own for what admins read: with a time limit that needs no transaction, and so few
 * that the heaviest search leaves the rest of the service its own (docs/decisions/0009-sql-by-hand.md).
 */
export declare class OrgListDatabase implements OnApplicationShutdown {
    private readonly pool;
    private readonly names;
    constructor(database: DataSource);
    onApplicationShutdown(): Promise<void>;
    /** @throws ConversationsUnavailableError when the query fails or takes too long */
    rows<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[], { gone, samePlan }?: ListQueryOptions): Promise<Row[]>;
    /**
     * The row of a query that always has one.
     * @throws ConversationsUnavailableError when the query fails or takes too long
     */
    row<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[]): Promise<Row>;
    /** What connections know a statement by that they keep, the same in all replicas; undefined when they keep enough. */
    private nameOf;
}
