import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestIdentity } from '../../auth';
/** A request that was answered past Express. */
export interface Answered {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    /** From where it came. */
    readonly address: string;
    readonly identity: RequestIdentity;
    /** From the request to its answer. */
    readonly milliseconds: number;
}
/** Logs a request that is answered past Express with the same line as all others (docs/operations.md#log). */
export declare function logResponse({ request, response, address, identity, milliseconds }: Answered): void;
