import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { z } from 'zod';
import type { EmbeddedConfig } from '../config/embedded-config';
/** One request on its way through the API. */
export interface ApiRequest {
    readonly method: string;
    readonly path: string;
    /** The decoded parts of the path where the route has `:name`. */
    readonly params: Readonly<Record<string, string>>;
    readonly query: URLSearchParams;
    readonly headers: IncomingMessage['headers'];
    /** Aborted when the caller goes away. */
    readonly signal: AbortSignal;
    readonly body: Buffer;
}
/** A response: JSON, or bytes. */
export interface ApiResponse {
    readonly status: number;
    readonly body: unknown;
    /** Instead of a JSON body. */
    readonly bytes?: Buffer;
}
export type Handler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
/** Wraps the handling of a request: it may come before, after or instead of it. */
export type Around = (request: ApiRequest, next: () => Promise<ApiResponse>, connection: Socket) => Promise<ApiResponse>;
/** A method, a path such as `/api/conversations/:id`, and what answers it. Earlier routes win. */
export type RouteEntry = readonly [method: string, path: string, handler: Handler];
/** A response that is no 2xx; anything else that a handler throws is a 500. */
export declare class HttpFault extends Error {
    readonly status: number;
    readonly detail: unknown;
    constructor(status: number, detail: unknown);
}
export declare function notFound(detail?: string): HttpFault;
export declare function ok(body: unknown, status?: number): ApiResponse;
/** Checks a JSON body as FastAPI does. @throws HttpFault 422 with the faults */
export declare function readJson<Schema extends z.ZodType>(request: ApiRequest, schema: Schema): z.infer<Schema>;
/** Whether a key is among those that open the API; the time it takes does not reveal how close it was. */
export declare function isAllowedKey(key: string | undefined, allowed: readonly string[]): boolean;
/** Finds the route of a request, checks the key and writes the response. */
export declare class HttpApi {
    private readonly routes;
    private readonly allowed;
    private readonly around;
    constructor(routes: readonly RouteEntry[], allowed: Pick<EmbeddedConfig, 'sessionApiKeys' | 'corsOrigins'>, around: Around);
    /** Answers one request. */
    handle(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
    private respond;
    private match;
}
