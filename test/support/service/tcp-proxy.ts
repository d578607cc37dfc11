import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { freePort } from './free-port';

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** A TCP proxy that can interrupt the connections to a server. */
export interface TcpProxy {
  /** The given URL, with the proxy's host and port. */
  readonly url: string;
  /** Breaks all connections and accepts no more. */
  cut(): Promise<void>;
  /** Stops forwarding on the open connections, as if the host had vanished; new ones work. */
  freeze(): void;
  /** How many of the open connections have something of their clients that is not forwarded, since {@link freeze}. */
  heldBack(): number;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
  /** Leads new connections to the server of another URL, as an address that moves does. */
  redirect(target: string): void;
  /**
   * From now on tells clients that the server stops in the moment in which they end their sessions.
   * @returns how many were told so far
   */
  stopAtTermination(): () => number;
}

/** Starts a proxy for the PostgreSQL server of a URL, which listens on TCP or on a socket in a folder. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target);
  let server = serverOf(target);
  const open = new Set<Socket>();
  const clients = new Set<Socket>();
  let stopped = 0;
  let stopsAtTermination = false;
  const listener = createServer((client) => {
    const upstream = connect(server);
    clients.add(client);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        clients.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (!stopsAtTermination || !bytes.subarray(-TERMINATE.length).equals(TERMINATE)) return;
      stopped += 1;
      client.write(adminShutdown());
    });
    client.pipe(upstream).pipe(client);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
  const port = await freePort(); // still free when it listens again
  await listen(port);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    freeze: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    heldBack: () => [...clients].filter(({ readableLength }) => readableLength > 0).length,
    cut: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    restore: () => listen(Number(url.port)),
    redirect: (to) => {
      server = serverOf(to);
    },
    stopAtTermination: () => {
      stopsAtTermination = true;
      return () => stopped;
    },
  };
}

/** How the PostgreSQL server of a URL is connected to. */
export function serverOf(target: string): NetConnectOpts {
  const url = new URL(target);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** The message of a session that ends because its server stops. */
export function adminShutdown(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
