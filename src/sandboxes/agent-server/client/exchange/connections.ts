import { buildConnector, Pool } from 'undici';
import type { AgentServer } from '../protocol';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { asIpAddress, endOf, type TcpSocket, otherEndsOf } from '../../../../kernel/common';

const UNSPECIFIED = new Set(['0.0.0.0', '::']);
const TRIES = 5;
const PAUSE_MS = 5;

/**
 * Whether the other end of a connection is a socket of a user: a port that the user's process has left may be anyone's.
 * The kernel's own list says it, so that nothing has to be sent to find out (docs/sandboxes.md#isolation).
 * @returns true also where it cannot be found out: for other hosts, and on systems without that list
 */
async function isListenerOf(uid: number, socket: Socket): Promise<boolean> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (process.platform !== 'linux') return true;
  if (!localAddress || !remoteAddress || !remotePort || !localPort) return false;
  if (!isOwnAddress(remoteAddress)) return true;
  const near = endOf(localAddress, localPort);
  const far = endOf(remoteAddress, remotePort);
  for (let n = 0; n < TRIES; n++) {
    const sockets = await otherEndsOf(localPort, remotePort);
    const peer = sockets.find(({ local, remote }) => local === far && remote === near);
    if (peer !== undefined) return peer.inode === '0' ? allListenersAre(uid, far, sockets) : peer.uid === uid;
    // The server end of a connection appears a moment after this end.
    await sleep(PAUSE_MS);
  }
  return false;
}

/**
 * Of a connection that nobody accepted yet, the listener's user counts. The list has listeners before connections,
 * and a listener that ends takes those with it: it is the one that this connection waits at.
 */
function allListenersAre(uid: number, far: string, sockets: readonly TcpSocket[]): boolean {
  const port = far.slice(far.lastIndexOf(' '));
  const wildcards = [...UNSPECIFIED].map((address) => address + port);
  const listeners = sockets.filter(
    ({ isListening, local }) => isListening && (local === far || wildcards.includes(local)),
  );
  return listeners.length > 0 && listeners.every((listener) => listener.uid === uid);
}

function isOwnAddress(address: string): boolean {
  const canonical = asIpAddress(address) ?? '';
  if (ipaddr.isValid(canonical) && ipaddr.parse(canonical).range() === 'loopback') return true;
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => asIpAddress(own.address) === canonical),
  );
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the 5 s after which agent servers close idle connections, so that no call meets a closing one. */
const KEEP_ALIVE_MS = 3_000;
/** From this many servers on, those without a connection and a recent call are dropped. */
const SWEEP_FROM = 64;
const FORGET_AFTER_MS = 60_000;

/** Where calls for one agent server go: its connections, and the path its routes start with. */
export interface Route {
  readonly pool: Pool;
  readonly prefix: string;
  /** Headers for a gateway in between, names and values alternating. */
  readonly headers: readonly string[];
}

interface Entry extends Route {
  readonly name: string;
  lastUsedMs: number;
}

/** Kept-alive connections, one pool for each agent server (docs/decisions/0007-http-client-of-the-send-path.md). */
export class Connections {
  private readonly entries = new Map<string, Entry>();
  /** Retired pools whose calls have not ended yet. */
  private readonly closing = new Set<Pool>();

  /** @param maxPerServer parallel connections to one agent server; further calls wait for a free one */
  constructor(private readonly maxPerServer: number) {}

  /**
   * @param server `baseUrl` possibly has a path before the routes
   * @throws TypeError when it is no http or https address
   */
  route(server: Omit<AgentServer, 'apiKey'>): Route {
    const { baseUrl, listenerUid, gateway } = server;
    const name = `${listenerUid ?? ''} ${gateway?.version ?? ''} ${baseUrl}`;
    let entry = this.entries.get(name);
    if (!entry) {
      this.sweep();
      entry = { name, lastUsedMs: 0, ...open(server, this.maxPerServer) };
      this.entries.set(name, entry);
    }
    entry.lastUsedMs = performance.now();
    return entry;
  }

  /**
   * Stops using the present connections to a server: calls under way end, new calls open new ones. An agent
   * server resets its kept-alive connection after an unhandled 500, and the next call would hit that.
   */
  retire(route: Route): void {
    const entry = [...this.entries.values()].find(({ pool }) => pool === route.pool);
    if (entry === undefined) return;
    this.entries.delete(entry.name);
    this.closing.add(route.pool);
    void route.pool.close().then(() => this.closing.delete(route.pool));
  }

  /** Closes everything; calls under way fail. */
  async destroy(): Promise<void> {
    const pools = [...this.closing, ...[...this.entries.values()].map(({ pool }) => pool)];
    this.entries.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private sweep(): void {
    if (this.entries.size < SWEEP_FROM) return;
    const before = performance.now() - FORGET_AFTER_MS;
    for (const entry of [...this.entries.values()]) {
      if (entry.lastUsedMs < before && entry.pool.stats.size === 0) this.retire(entry);
    }
  }
}

/** How connections to an agent server are made: over a gateway where there is one, and to no listener of another user. */
export function connectorFor({
  listenerUid,
  gateway,
}: Omit<AgentServer, 'apiKey'>): buildConnector.connector {
  return listenerUid === null || listenerUid === undefined
    ? buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...gateway?.tls })
    : connectorTo(listenerUid);
}

/** Connects, and returns the connection only when its other end is a socket of that user. */
function connectorTo(listenerUid: number): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const refuse = (cause?: unknown): void => {
        socket.destroy();
        callback(new ForeignListenerError({ cause }), null);
      };
      isListenerOf(listenerUid, socket).then((isOwn) => {
        if (isOwn && !socket.destroyed) callback(null, socket);
        else refuse();
      }, refuse);
    });
  };
}

/** Another process listens at the address of an agent server. */
class ForeignListenerError extends Error {
  readonly code = 'EFOREIGNLISTENER';

  constructor(options: ErrorOptions) {
    super('The port of the agent server belongs to another user.', options);
    this.name = 'ForeignListenerError';
  }
}

function open(server: Omit<AgentServer, 'apiKey'>, connections: number): Route {
  const url = new URL(server.baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('An agent server has an http or https address.');
  }
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    connect: connectorFor(server),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each call has a time limit of its own over the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { pool, prefix: url.pathname.replace(/\/+$/, ''), headers: server.gateway?.headers ?? [] };
}
