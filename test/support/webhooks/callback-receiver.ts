import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A callback that arrived. */
export interface ReceivedCallback {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly payload: z.output<typeof payloadSchema>;
  /** By the clock of this process, in milliseconds. */
  readonly at: number;
}

const payloadSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** What a receiver does with a callback. */
export type Reaction =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  /** Nothing more is said; the connection stays open. */
  | 'hang'
  /** The connection is closed without an answer. */
  | 'cut'
  /** It is closed in the middle of an answer with status 200. */
  | 'cut in the answer'
  /** The beginning of an answer, and then nothing. */
  | 'hang in the answer'
  /** Body without an end. */
  | 'endless'
  /** Interim answers (1xx) without an end. */
  | 'interim';

export const OK: Reaction = { status: 204 };

type Script = (callback: ReceivedCallback, count: number) => Reaction | Promise<Reaction>;

/** An HTTP server that is called back, and fails as it is told. */
export class CallbackReceiver {
  readonly received: ReceivedCallback[] = [];
  /** Requests that are being answered, and most at a time, by path. */
  readonly atOnce = new Map<string, { now: number; most: number }>();
  private readonly scripts = new Map<string, Script>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CallbackReceiver> {
    const server = createServer();
    const receiver = new CallbackReceiver(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void receiver.take(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** As `WEBHOOK_ALLOWED_HOSTS` names it. */
  get host(): string {
    const { port } = this.server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** What callbacks to a path get from now on; 204 without. */
  react(path: string, script: Script): void {
    this.scripts.set(path, script);
  }

  /** What arrived at a path. */
  at(path: string): ReceivedCallback[] {
    return this.received.filter((callback) => callback.path === path);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    } catch {
      // The caller died in the middle of it.
      return;
    }
    const path = request.url ?? '';
    const body = Buffer.concat(chunks).toString();
    const payload = payloadSchema.parse(JSON.parse(body));
    const callback = { path, headers: request.headers, body, payload, at: performance.now() };
    this.received.push(callback);
    const atOnce = this.atOnce.get(path) ?? { now: 0, most: 0 };
    this.atOnce.set(path, atOnce);
    atOnce.most = Math.max(atOnce.most, ++atOnce.now);
    response.once('close', () => atOnce.now--);
    const script = this.scripts.get(path);
    const reaction = script === undefined ? OK : await script(callback, this.at(path).length);
    perform(reaction, response);
  }
}

function perform(reaction: Reaction, response: ServerResponse): void {
  if (reaction === 'hang') return;
  if (reaction === 'cut') response.destroy();
  else if (reaction === 'cut in the answer') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  } else if (reaction === 'hang in the answer') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
  } else if (reaction === 'endless') {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(16 * 1024), more);
    };
    more();
  } else if (reaction === 'interim') {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100);
    const more = (): void => {
      if (response.socket?.destroyed === false) response.socket.write(hints, more);
    };
    more();
  } else {
    response.writeHead(reaction.status, reaction.headers);
    response.end(reaction.body);
  }
}
