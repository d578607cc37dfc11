import type { Duplex } from 'node:stream';
import { type Route } from '../../agent-server';
import type { Place } from '../connections/open-connections';
type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** A WebSocket to an agent server, and the headers of its handshake. */
export interface UpstreamSocket {
    readonly socket: Duplex;
    readonly headers: Headers;
}
/**
 * Opens a WebSocket to an agent server, over the same checked connections as all calls.
 * @param path with its query
 * @param headers names and values alternating, with those of the handshake
 * @param place lets it be ended meanwhile
 * @throws AgentServerUnavailableError, also when the server refuses the handshake; the reason of `end` when it was
 *   ended
 */
export declare function openUpstream(route: Route, path: string, headers: string[], place: Place): Promise<UpstreamSocket>;
export {};
