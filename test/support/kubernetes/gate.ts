import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server, at an address of its own, that can be shut. */
export class Gate {
  private readonly open = new Set<Socket>();
  private isShut = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /**
   * @param target where each new connection leads
   * @param host the address to listen at
   */
  static async open(target: () => string, host = '127.0.0.1'): Promise<Gate> {
    const server = createServer((client) => gate.pass(client, new URL(target())));
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const address = server.address();
    const gate = new Gate(server, typeof address === 'object' && address !== null ? address.port : 0);
    return gate;
  }

  /** Breaks all connections and takes no more. @returns what opens it again */
  shut(): Promise<() => Promise<void>> {
    this.isShut = true;
    for (const socket of this.open) socket.destroy();
    return Promise.resolve(() => {
      this.isShut = false;
      return Promise.resolve();
    });
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(client: Socket, { hostname, port }: URL): void {
    if (this.isShut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        this.open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }
}
