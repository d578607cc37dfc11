import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RegistrationProblem } from '../registration/registration-problem';
import type { ProxySession } from './proxy-session';
import { checkedLookup, isPublicAddress, CheckedHosts, HostProblem } from '../../../kernel/common';

const HTTPS_PORT = 443;

/** Decides where git may connect to, at the moment it connects (docs/contract.md#marketplace-preview). */
export class Destinations {
  constructor(private readonly hosts: CheckedHosts) {}

  /** True when the operator exempts the host from the rules for untrusted hosts. */
  allows(host: string, port: number): boolean {
    return this.hosts.allows(host, port);
  }

  /**
   * The checked addresses of a host (see {@link CheckedHosts}).
   * @throws RegistrationProblem when the host has no address, or one that is not public
   */
  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    if (port !== HTTPS_PORT && !this.allows(host, port))
      throw new RegistrationProblem(`port ${port} is not allowed; https uses 443`);
    try {
      return await this.hosts.addressesOf(host, port);
    } catch (error) {
      if (error instanceof HostProblem) throw new RegistrationProblem(error.message, { cause: error });
      throw error;
    }
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+):(\d{1,5})$/i;

/** Handles `CONNECT host:port`: tunnels an encrypted connection to a checked address. */
export async function openTunnel(
  authority: string,
  client: Duplex,
  head: Buffer,
  destinations: Destinations,
  session: ProxySession,
): Promise<void> {
  session.track(client);
  try {
    const server = await connectTo(authority, destinations, session);
    if (client.destroyed) {
      server.destroy();
      return;
    }
    session.track(server);
    join(client, server, session);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    server.write(head);
  } catch (error) {
    session.note(
      error instanceof RegistrationProblem
        ? error
        : new RegistrationProblem('the proxy failed', { cause: error }),
    );
    client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  }
}

async function connectTo(
  authority: string,
  destinations: Destinations,
  session: ProxySession,
): Promise<Socket> {
  const [, host, digits] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined) throw new RegistrationProblem('the address of the repository is not understood');
  const port = Number(digits);
  session.assertAllowed(new URL(`https://${authority}`));
  const addresses = await destinations.addressesOf(host, port);
  const server = await established(host, port, addresses);
  const { remoteAddress } = server;
  if (!destinations.allows(host, port) && !(remoteAddress && isPublicAddress(remoteAddress))) {
    server.destroy();
    throw new RegistrationProblem(`the host ${host} is not at a public address`);
  }
  return server;
}

/** Connects to one of the addresses; the name is not resolved again. */
function established(host: string, port: number, addresses: readonly string[]): Promise<Socket> {
  const lookup = checkedLookup(addresses);
  return new Promise((resolve, reject) => {
    // A made-up name, so that the lookup above is used even when the host is an IP address.
    const socket = connect({ host: 'checked.invalid', port, lookup, autoSelectFamily: true });
    const fail = (cause?: unknown) => {
      socket.destroy();
      reject(new RegistrationProblem(`the host ${host} cannot be reached`, { cause }));
    };
    const timer = setTimeout(fail, CONNECT_TIMEOUT_MS);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}

function join(client: Duplex, server: Socket, session: ProxySession): void {
  const end = () => {
    client.destroy();
    server.destroy();
  };
  server.on('data', (chunk: Buffer) => session.count(chunk.length));
  server.on('error', end);
  server.once('close', end);
  client.once('close', end);
  server.pipe(client);
  client.pipe(server);
}
