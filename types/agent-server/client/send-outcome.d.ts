import type { ExchangeResponse, ExchangeError } from './exchange/http-exchange';
/**
 * What became of a message handed to an agent server.
 *
 * - `delivered`: answered 2xx, the message is in the conversation's log.
 * - `stored`: answered 429, and that the message is in the log although the agent server runs as many agents as it
 *   may: the agent has to be asked to run later, and the message must not be sent again.
 * - `not_found`: answered 404, the server has no such conversation; nothing was stored.
 * - `conflict`: answered 409; nothing was stored.
 * - `refused`: any other 3xx or 4xx, or a 500 that is known to come before storing; nothing was stored. 400,
 *   413, 422 and 500 will not change by repeating.
 * - `unavailable`: never sent (refused connection, unknown host, no connection in time): sending again is safe.
 * - `unknown`: sent, and no clear response came (time-out, reset, abort, 5xx): it may have been stored, and may
 *   still be accepted shortly, so it must be looked up before it is sent again
 *   (docs/decisions/0006-settling-time-after-an-unknown-outcome.md).
 */
export type SendOutcome = {
    readonly kind: 'delivered';
} | {
    readonly kind: 'stored';
    readonly reason: string;
} | {
    readonly kind: 'not_found';
    readonly reason: string;
} | {
    readonly kind: 'conflict';
    readonly reason: string;
} | {
    readonly kind: 'refused';
    readonly status: number;
    readonly reason: string;
} | {
    readonly kind: 'unavailable';
    readonly reason: string;
} | {
    readonly kind: 'unknown';
    readonly status: number | null;
    readonly reason: string;
};
/** Classifies a response to a message. */
export declare function outcomeOfResponse({ status, text }: ExchangeResponse, apiKey: string): SendOutcome;
/** Classifies the lack of a response to a message. */
export declare function outcomeOfFailure(error: ExchangeError): SendOutcome;
