import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** A request as the far side got it. */
export interface FarRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly trailers: IncomingMessage['trailers'];
  readonly body: Buffer;
}

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/** The far side of the door: an agent server that does what a test says, friendly or not. */
export class FarServer {
  /** Requests whose bodies came whole. */
  readonly received: FarRequest[] = [];
  /** The handshakes of WebSockets. */
  readonly handshakes: IncomingMessage[] = [];
  readonly sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  /** Answers requests whose bodies came whole. */
  answer: Responder = (_request, response) => void response.end('ok');
  /** Answers requests as soon as their headers came, in place of `answer`. */
  answerEarly: Responder | null = null;
  /** Takes the connection of a handshake, in place of a WebSocket that works. */
  upgraded: ((request: IncomingMessage, socket: Duplex) => void) | null = null;
  readonly connections = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FarServer> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const far = new FarServer(server);
    server.on('request', (request, response) => far.handle(request, response));
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      far.handle(request, response),
    );
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      far.handshakes.push(request);
      socket.on('error', () => socket.destroy());
      if (far.upgraded !== null) far.upgraded(request, socket);
      else
        far.sockets.handleUpgrade(request, socket, head, (websocket) =>
          far.sockets.emit('connection', websocket),
        );
    });
    server.on('connection', (socket) => {
      far.connections.add(socket);
      socket.on('close', () => far.connections.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return far;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The last request. */
  get last(): FarRequest {
    const last = this.received.at(-1);
    if (last === undefined) throw new Error('Nothing was received.');
    return last;
  }

  /** Forgets what a test did. */
  reset(): void {
    this.received.length = 0;
    this.handshakes.length = 0;
    this.answer = (_request, response) => void response.end('ok');
    this.answerEarly = null;
    this.upgraded = null;
    this.sockets.removeAllListeners('connection');
  }

  /** The next WebSocket that is opened. */
  nextSocket(): Promise<WebSocket> {
    return new Promise((resolve) => this.sockets.once('connection', resolve));
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    for (const socket of this.connections) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.answerEarly !== null) {
      this.answerEarly(request, response);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders, trailers } = request;
      this.received.push({ method, url, headers, rawHeaders, trailers, body: Buffer.concat(chunks) });
      this.answer(request, response);
    });
  }
}
