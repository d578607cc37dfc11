import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  /** The path after the base URL: `/conversations` or `/events/{32 hex digits}`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** Takes the place of the service: records the webhooks of an agent server. */
export class WebhookSink {
  readonly received: ReceivedWebhook[] = [];
  /** The status that webhooks get from now on. */
  status = 200;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      this.received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(this.status).end();
    });
  });

  /** Listens on a free port. */
  static async start(): Promise<WebhookSink> {
    const sink = new WebhookSink();
    await new Promise<void>((resolve) => sink.server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get baseUrl(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Stops the server and closes all connections. */
  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }
}
