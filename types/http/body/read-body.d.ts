import type { IncomingMessage } from 'node:http';
/**
 * Reads a request's body.
 * @param limitBytes larger bodies are refused without being read to the end
 * @throws BodyTooLargeError, BodyIncompleteError
 */
export declare function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer>;
