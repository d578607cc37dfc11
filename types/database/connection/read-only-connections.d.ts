import { Client, type ClientConfig, type Pool, type PoolClient } from 'pg';
/** A client that knows whether its session takes writes. */
export declare class ReportingClient extends Client {
    private readonly reported;
    constructor(config?: string | ClientConfig);
    get isReadOnly(): boolean;
}
/**
 * Ends a connection that is given back while its session is read-only, so that the pool does not keep it: the session
 * would stay read-only when the database takes writes again, and refuse whoever got it next.
 */
export declare function endReadOnly(_error: unknown, client: PoolClient): void;
/**
 * Closes the idle connections of a pool after one of them turned out to be read-only. A session stays read-only when
 * the database becomes writable again, or when its host name leads to another server.
 */
export declare function replaceIdleConnections(pool: Pool): void;
