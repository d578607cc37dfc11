import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut. */
export interface TcpProxy {
  /** The given address, by way of the proxy. */
  readonly url: string;
  /** Breaks all connections and takes no more. */
  cut(): Promise<void>;
  /** From now on nothing comes through the connections there are, as if the host had vanished; later ones work. */
  silence(): void;
  /** Takes connections again, at the same address. */
  mend(): Promise<void>;
}

/** Stands before the server of an address. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const url = new URL(target);
  const { hostname } = url;
  const port = Number(url.port);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, hostname);
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
    silence: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    mend: () => listen(Number(url.port)),
  };
}
