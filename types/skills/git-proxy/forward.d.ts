import { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Destinations } from './destinations';
import type { ProxySession } from './proxy-session';
/** Forwards a plain http request; only hosts that the operator allows may be reached unencrypted. */
export declare function forward(incoming: IncomingMessage, response: ServerResponse, destinations: Destinations, session: ProxySession): Promise<void>;
