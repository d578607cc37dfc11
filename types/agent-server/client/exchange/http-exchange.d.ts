import type { Dispatcher } from 'undici';
import type { ResponseBudget } from './response-budget';
/** Why a response is given up that has more than its call takes. */
export declare const RESPONSE_TOO_LARGE = "answer too large";
/** One request as it goes to the wire. */
export interface ExchangeRequest {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    readonly path: string;
    /** Names and values in turn. */
    readonly headers: string[];
    readonly body?: string | Buffer;
    /** For the whole exchange: waiting for a connection, sending, and the response to its last byte. */
    readonly timeoutMs: number;
    readonly maxResponseBytes: number;
    /** Of the response's text; `latin1` keeps its bytes. Default: `utf8`. */
    readonly encoding?: 'utf8' | 'latin1';
    /** Where the bytes of the response count, as those of this server. */
    readonly budget: ResponseBudget;
    readonly server: string;
    readonly signal?: AbortSignal | undefined;
    /** Called when a connection is there, right before the first byte; what it throws keeps that from being written. */
    readonly beforeWrite?: (() => void) | undefined;
}
/** A complete response; of one that is no 2xx and too large, the status alone. */
export interface ExchangeResponse {
    readonly status: number;
    readonly text: string;
}
/** No complete response came. */
export declare class ExchangeError extends Error {
    readonly sent: boolean;
    readonly reason: string;
    /**
     * @param sent whether the request may have reached the other side
     * @param reason `timeout`, `aborted`, {@link RESPONSE_TOO_LARGE}, or the code of the network error
     */
    constructor(sent: boolean, reason: string, options?: ErrorOptions);
}
/**
 * Sends one request and reads its whole response. It uses undici's dispatch, not its `request`, because only
 * a handler learns whether the request was written to a connection: what was never written may be sent
 * again without fear of doing it twice.
 * @throws ExchangeError when no complete response came; the connection is then closed
 */
export declare function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeResponse>;
