import type { RunningSandbox } from '../../sandboxes';
import type { IncomingMessage } from 'node:http';
/**
 * The request headers sent to the agent server: the caller's, without those of the connection or the service, and with
 * the sandbox's key.
 * @param requestId the request's own
 * @returns names and values alternating
 */
export declare function passedHeaders(request: IncomingMessage, sandbox: RunningSandbox, requestId: string): string[];
