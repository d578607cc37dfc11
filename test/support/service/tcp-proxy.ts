import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can interrupt the connections to a server. */
export interface TcpProxy {
  /** The given URL, with the proxy's host and port. */
  readonly url: string;
  /** Breaks all connections and accepts no more. */
  cut(): Promise<void>;
  /** Stops forwarding on the open connections, as if the host had vanished; new ones work. */
  freeze(): void;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
}

/** Starts a proxy for the PostgreSQL server of a URL, which listens on TCP or on a socket in a folder. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port);
  const atSocket = host.startsWith('/');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = atSocket ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    restore: () => listen(Number(url.port)),
  };
}
