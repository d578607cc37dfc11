import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Route } from '../../agent-server';
import type { AppError } from '../../common';
import type { Place } from '../connections/open-connections';
import { type ResponseSource, type OwnResponse } from './response-headers';
/** One request, and where it goes. */
export interface HttpExchange {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly place: Place;
    readonly route: Route;
    /** Path and query at the agent server. */
    readonly path: string;
    /** Names and values alternate. */
    readonly headers: string[];
    readonly own: OwnResponse;
    readonly source: ResponseSource;
    readonly idleMs: number;
}
/**
 * Told once how a request ended.
 * @param error why no answer came, an AgentServerUnavailableError or what ended it before the answer; null for an answer,
 *   and for a caller who has gone. An answer that breaks off is cut off, so that nobody takes it for complete.
 */
export type Settled = (error: AppError | null) => void;
/**
 * Passes a request to an agent server and its answer back, both as they come, and each no faster than the other side
 * takes it. Without promises: most requests are short, and making these would be a good part of their cost.
 */
export declare function passHttp(exchange: HttpExchange, settled: Settled): void;
