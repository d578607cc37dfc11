import { Pool, type PoolClient, type PoolConfig } from 'pg';
/** Gives a connection back; with an error, to be closed. */
type Release = (error?: Error | boolean) => void;
type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;
/**
 * Keeps no connection whose session is read-only. Takes a connection back once, however often who got it by a callback
 * gives it back: the job library does so twice when its connection breaks while a worker ends, in a promise that
 * nobody waits for.
 */
export declare class ServicePool extends Pool {
    constructor(config: PoolConfig);
    connect(): Promise<PoolClient>;
    connect(callback: ConnectCallback): void;
}
/**
 * Opens a pool whose connections may break at any time: the next query on one notices it. Without listeners an
 * idle connection that breaks would end the process, and so would one that is in use between two queries.
 * @param onLoss hears of each connection that broke; told twice of one that broke while idle
 */
export declare function openPool(config: PoolConfig, onLoss?: (error: unknown) => void): Pool;
/** The pools of this process, for metrics; each says in its options by which name the database knows its connections. */
export declare function openPools(): readonly Pool[];
export {};
