import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ASK_MS = 200;

/** A load balancer that asks each replica whether it is ready, and sends requests to those in turn. */
export class ReadyBalancer {
  private readonly ready = new Set<string>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly replicas: Set<string>,
  ) {}

  static async start(replicas: readonly string[]): Promise<ReadyBalancer> {
    const server = createServer();
    const balancer = new ReadyBalancer(server, new Set(replicas));
    const asking = setInterval(() => void balancer.ask(), ASK_MS);
    server.once('close', () => clearInterval(asking));
    server.on('request', (incoming, response) => {
      const [...ready] = balancer.ready;
      const replica = ready[balancer.turn++ % ready.length];
      if (replica === undefined) {
        response.writeHead(502).end();
        return;
      }
      const { method, headers, url = '/' } = incoming;
      const forwarded = request(replica + url, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.writeHead(502).end());
      incoming.pipe(forwarded);
    });
    await balancer.ask();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(replica: string): void {
    this.replicas.add(replica);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async ask(): Promise<void> {
    await Promise.all(
      [...this.replicas].map(async (replica) => {
        const isReady = await fetch(`${replica}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.ready.add(replica);
        else this.ready.delete(replica);
      }),
    );
  }
}
