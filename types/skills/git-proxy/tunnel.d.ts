import type { Duplex } from 'node:stream';
import type { Destinations } from './destinations';
import type { ProxySession } from './proxy-session';
/** Handles `CONNECT host:port`: tunnels an encrypted connection to a checked address. */
export declare function openTunnel(authority: string, client: Duplex, head: Buffer, destinations: Destinations, session: ProxySession): Promise<void>;
