import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port';
import { serverOf } from './tcp-proxy';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A way to a PostgreSQL server on which everything can be lost for a while: neither side hears that the other is gone. */
export class LossyLink {
  private readonly pairs = new Set<Pair>();
  private isLost = false;

  private constructor(
    /** The URL of the server, by this way. */
    readonly url: string,
    private readonly listener: Server,
  ) {}

  static async start(target: string): Promise<LossyLink> {
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(await freePort());
    const listener = createServer({ pauseOnConnect: true });
    const link = new LossyLink(url.href, listener);
    listener.on('connection', (client) => link.join({ client, server: connect(serverOf(target)) }));
    await new Promise<void>((resolve) => listener.listen(Number(url.port), '127.0.0.1', resolve));
    return link;
  }

  /** From now on nothing passes, on new connections neither. */
  lose(): void {
    this.isLost = true;
    for (const { client, server } of this.pairs) {
      client.unpipe().pause();
      server.unpipe().pause();
    }
  }

  /** What was sent meanwhile arrives now, and so does that one side has gone. */
  restore(): void {
    this.isLost = false;
    for (const pair of this.pairs) forward(pair);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.listener.close(resolve));
    for (const { client, server } of this.pairs) {
      client.destroy();
      server.destroy();
    }
    await closed;
  }

  private join(pair: Pair): void {
    this.pairs.add(pair);
    for (const socket of [pair.client, pair.server]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.pairs.delete(pair);
        pair.client.destroy();
        pair.server.destroy();
      });
    }
    if (!this.isLost) forward(pair);
  }
}

function forward({ client, server }: Pair): void {
  client.pipe(server).pipe(client);
  client.resume();
  server.resume();
}
