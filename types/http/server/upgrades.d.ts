import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
/** A connection that has left HTTP, and what came on it already. */
export interface Upgraded {
    readonly socket: Socket;
    readonly head: Buffer;
}
/**
 * Lets requests for a WebSocket take the way of all requests: with an id, in the log, with the same errors. Whoever
 * wants such a request takes it with {@link switchProtocols}; to all others it is an ordinary request. Any other
 * upgrade that a client offers (Java's and curl's offer HTTP/2) is left aside, as the protocol allows.
 */
export declare function receiveUpgrades(server: Server): void;
/** Whether a request is for a WebSocket that nobody has taken yet. */
export declare function pendingUpgrade(request: IncomingMessage): boolean;
/**
 * Answers 101 and leaves HTTP.
 * @returns the connection, which the caller owns from then on; null when it has ended already
 */
export declare function switchProtocols(request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>): Promise<Upgraded | null>;
