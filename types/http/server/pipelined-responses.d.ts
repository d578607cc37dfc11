import type { Server } from 'node:http';
/**
 * Has responses that wait for an earlier one of their connection (pipelining) close with the connection: Node.js tells
 * only the one that is being sent, and what the others hold would be held for ever.
 */
export declare function closePipelinedResponses(server: Server): void;
