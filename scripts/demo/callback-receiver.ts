import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { recordOf } from './demo-client';

/** A small receiver of callbacks: it verifies their signatures with the library of Standard Webhooks. */
export class CallbackReceiver {
  private readonly verified: Record<string, unknown>[] = [];
  private secret = '';

  private readonly server = createServer((request, response) => {
    this.receive(request).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(400).end(),
    );
  });

  /** @param port 0 for a free one */
  static async start(port: number): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver();
    await new Promise<void>((resolve, reject) => {
      receiver.server.once('error', reject);
      receiver.server.listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  /** As `WEBHOOK_ALLOWED_HOSTS` names it. */
  get host(): string {
    const { port } = this.server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  /** Accepts what is signed with a secret. */
  accept(secret: string): void {
    this.secret = secret;
  }

  /** The payloads that arrived and were verified. */
  payloads(): readonly Record<string, unknown>[] {
    return this.verified;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** @throws Error when the signature does not fit */
  private async receive(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const header = (name: string): string => String(request.headers[name]);
    const payload = new Webhook(this.secret).verify(Buffer.concat(chunks).toString(), {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
    this.verified.push(recordOf(payload));
  }
}
