import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { digestOf } from '../../../kernel/common';
import { RegistrationProblem } from '../registration/registration-problem';
import { forward } from './forward';
import { ProxySession } from './proxy-session';
import { openTunnel, Destinations } from './tunnel';

/** The network access of one git while it runs. */
export interface OpenedProxy {
  /** URL with password for git's `http.proxy`. */
  readonly url: string;
  readonly session: ProxySession;
  /** Closes it together with its connections. */
  close(): void;
}

/**
 * The only way from git to the network: a forward proxy on loopback that resolves, checks and connects by
 * itself, for redirects as well, since they pass it too (docs/decisions/0019-marketplace-sources-are-hostile.md).
 * Only a git of ours can use it: each has a password of its own.
 */
@Injectable()
export class GitProxy implements OnModuleDestroy {
  private readonly sessions = new Map<string, ProxySession>();
  private starting: Promise<Server> | null = null;

  constructor(private readonly destinations: Destinations) {}

  /**
   * Opens the proxy for one git; the caller closes it.
   * @param maxBytes how many bytes it may receive
   * @param onTooLarge called once when it receives more
   * @param onlyHost the only `host` or `host:port` it connects to: that of a credential
   */
  async open(maxBytes: number, onTooLarge: () => void, onlyHost: string | null = null): Promise<OpenedProxy> {
    this.starting ??= this.listen();
    const server = await this.starting;
    const session = new ProxySession(maxBytes, onTooLarge, onlyHost);
    const id = digestOf(session.token);
    this.sessions.set(id, session);
    return {
      url: `http://git:${session.token}@127.0.0.1:${portOf(server)}`,
      session,
      close: () => {
        this.sessions.delete(id);
        session.end();
      },
    };
  }

  async onModuleDestroy(): Promise<void> {
    const server = await this.starting;
    for (const session of this.sessions.values()) session.end();
    server?.closeAllConnections();
    server?.close();
  }

  private async listen(): Promise<Server> {
    const server = createServer((request, response) => {
      const session = this.sessionOf(request);
      if (session) void forward(request, response, this.destinations, session);
      else response.writeHead(407, { 'Proxy-Authenticate': 'Basic', Connection: 'close' }).end();
    });
    server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      const session = this.sessionOf(request);
      if (session) void openTunnel(request.url ?? '', socket, head, this.destinations, session);
      else socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    server.unref();
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return server;
  }

  private sessionOf(request: IncomingMessage): ProxySession | undefined {
    const [scheme, encoded] = (request.headers['proxy-authorization'] ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'basic' || encoded === undefined) return undefined;
    const token = Buffer.from(encoded, 'base64').toString('latin1').replace(/^git:/, '');
    return this.sessions.get(digestOf(token));
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new RegistrationProblem('the way to the network is closed');
  return address.port;
}
