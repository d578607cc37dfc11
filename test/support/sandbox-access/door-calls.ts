import { type ClientRequest, type IncomingMessage, request as send, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';

/** A whole response, or how it broke off. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The response ended before it was complete. */
  readonly isBroken: boolean;
}

/** Begins a request that tests write and read by themselves. */
export function begin(url: string, options: RequestOptions): ClientRequest {
  return send(url, { agent: false, ...options }).on('error', () => undefined);
}

/** Waits for the response of a request, whole or broken; an error where there is none at all. */
export function whole(request: ClientRequest): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (answer) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        const { statusCode: status = 0, headers, complete } = answer;
        resolve({ status, headers, text: Buffer.concat(chunks).toString(), isBroken: !complete });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => undefined).once('close', done);
    });
  });
}

/** Sends bytes to a server and reads until it closes. */
export function rawExchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject).once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** How a WebSocket was closed. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client's WebSocket whose messages and end a test waits for. */
export class TestSocket {
  readonly closed: Promise<Closed>;
  readonly messages: string[] = [];
  private readonly waiting: (() => void)[] = [];

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      this.messages.push(data.toString());
      for (const resolve of this.waiting.splice(0)) resolve();
    });
  }

  /** Opens one. @throws Error `Unexpected server response: <status>` where it is refused */
  static async open(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    options: ClientOptions = {},
  ): Promise<TestSocket> {
    const made = new TestSocket(new WebSocket(url, { ...options, headers }));
    await new Promise<void>((resolve, reject) => made.socket.once('open', resolve).once('error', reject));
    return made;
  }

  /** The status with which one is refused. */
  static async refused(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const socket = new WebSocket(url, { headers });
    return new Promise((resolve, reject) => {
      socket.once('open', () => reject(new Error('It was opened.')));
      socket.once('unexpected-response', (_request, answer) => {
        resolve(answer.statusCode ?? 0);
        socket.terminate();
      });
      socket.on('error', () => undefined);
    });
  }

  /** The first so many messages. */
  async first(count: number): Promise<readonly string[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.messages.slice(0, count);
  }

  authenticate(key: string): void {
    this.socket.send(JSON.stringify({ type: 'auth', session_api_key: key }));
  }
}
