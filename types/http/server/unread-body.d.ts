import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
/**
 * Answers a request whose body is refused, and closes its connection. The response goes out at once, but the connection
 * is closed only when the body has come, or too much of it: a client that writes its whole body before it reads would
 * find a broken pipe instead of the response.
 * @param text the JSON text of the response
 */
export declare function respondUnread(request: IncomingMessage, response: Response, text: string): void;
/**
 * Drops what still comes of a body that nobody needs, so that its connection can be used again; too much ends that.
 * @param dropped called at the end
 */
export declare function dropRest(request: IncomingMessage, dropped: () => void): void;
