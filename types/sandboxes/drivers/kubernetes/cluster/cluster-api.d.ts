import type { ClusterAccess, Credentials } from './cluster-access';
import { type End } from './lines';
type Query = Readonly<Record<string, string>>;
/** One call to the API server. */
export interface ApiCall {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly query?: Query;
    readonly body?: unknown;
    /** Default: JSON. */
    readonly contentType?: string;
}
/**
 * Calls of the cluster's API, over kept-alive connections: the library's own makes a new TLS connection for each. Each call
 * may be made twice, which all that are made here allow for.
 */
export declare class ClusterApi {
    readonly access: ClusterAccess;
    private readonly counted;
    private pool;
    private current;
    /** @param counted is called with each request that is answered */
    constructor(access: ClusterAccess, counted?: (method: string, status: number) => void);
    /** Reads the credentials again, for who uses them without a call. */
    renew(): Promise<void>;
    /** The credentials as they were read last; undefined before the first call. */
    get credentials(): Credentials | undefined;
    /** @throws ApiRefusal, ApiUnavailable */
    get(path: string, query?: Query): Promise<unknown>;
    /** Faults in the object are refused rather than left out. @throws ApiRefusal (409 when it is there), ApiUnavailable */
    create(path: string, object: unknown): Promise<unknown>;
    /** Makes an object as it should be, whether there is one or not. @param options in the query @throws ApiRefusal, ApiUnavailable */
    apply(path: string, object: unknown, options?: Query): Promise<unknown>;
    /** Replaces the fields that are given. @throws ApiRefusal, ApiUnavailable */
    merge(path: string, fields: unknown): Promise<unknown>;
    /** Makes changes in turn, as JSON patch. @throws ApiRefusal, ApiUnavailable */
    change(path: string, changes: readonly unknown[]): Promise<unknown>;
    /** Nothing happens where there is none. @throws ApiRefusal, ApiUnavailable */
    remove(path: string): Promise<void>;
    /**
     * The end of a text, such as a log, of which no more than so much is held at a time: those who write it are not trusted.
     * @throws ApiRefusal, ApiUnavailable
     */
    end(path: string, query: Query, bytes: number): Promise<End>;
    /** What comes of a watch, until it ends or the signal does. @throws ApiRefusal, ApiUnavailable */
    stream(path: string, query: Query, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
    /** Closes the connections. */
    close(): Promise<void>;
    private call;
    private patiently;
    private request;
    private connect;
}
export {};
