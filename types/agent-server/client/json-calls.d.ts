import type { z } from 'zod';
import type { ResponseBudget } from './exchange/response-budget';
import { type ExchangeResponse, type ExchangeRequest } from './exchange/http-exchange';
import type { AgentServer } from './protocol';
/** Of what describes a conversation, with its agent and the cost of each call, and of what a command prints. */
export declare const DETAILED_RESPONSE_BYTES: number;
/** How long a call may take, and what ends it early (it closes the connection). */
export interface CallOptions {
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** One call: its route, and what goes with it. */
export interface JsonCall extends CallOptions {
    readonly method: ExchangeRequest['method'];
    /** With encoded segments, starting with `/`. */
    readonly path: string;
    /** Sent as it is. */
    readonly rawBody?: string | Buffer;
    /** Default: JSON. */
    readonly contentType?: string;
    /** More is not read. Default: 1 MiB. */
    readonly maxResponseBytes?: number;
    /** Of the response's text; `latin1` keeps its bytes. Default: `utf8`. */
    readonly encoding?: ExchangeRequest['encoding'];
    readonly beforeWrite?: (() => void) | undefined;
}
/** JSON calls to agent servers over kept-alive connections. */
export declare class JsonCalls {
    private readonly budget;
    private readonly connections;
    /** @param maxPerServer parallel calls to one agent server; further ones wait */
    constructor(maxPerServer: number, budget: ResponseBudget);
    /**
     * @returns the response, whatever its status
     * @throws ExchangeError when none came
     */
    send(target: AgentServer, call: JsonCall): Promise<ExchangeResponse>;
    /**
     * @returns the response, whatever its status
     * @throws AgentServerUnavailableError when none came, AgentServerResponseTooLargeError
     */
    call(target: AgentServer, call: JsonCall): Promise<ExchangeResponse>;
    /** Closes all connections. */
    destroy(): Promise<void>;
}
/**
 * Reads the body of a 2xx response.
 * @throws AgentServerBusyError for 429
 * @throws AgentServerRefusedError for 3xx and any other 4xx
 * @throws AgentServerFailedError for 5xx, and for a body of another shape
 */
export declare function readResponse<Schema extends z.ZodType>({ status, text }: ExchangeResponse, schema: Schema, target: AgentServer): z.infer<Schema>;
