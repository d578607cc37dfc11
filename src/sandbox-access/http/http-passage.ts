import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AgentServerUnavailableError, type Route } from '../../agent-server';
import type { AppError } from '../../common';
import { dropRest, sendContinue } from '../../http';
import type { Passage, Place } from '../connections/open-connections';
import { type ResponseSource, passedResponseHeaders } from './response-headers';

/** A body up to this size is sent together with the headers, in one system call instead of two. */
const JOINED_BYTES = 16_384;

/** One request and its destination. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly place: Place;
  readonly route: Route;
  /** Path and query at the agent server. */
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: string[];
  /** The service's own headers of the response, in the same form. */
  readonly ownHeaders: readonly string[];
  readonly source: ResponseSource;
  readonly idleMs: number;
}

/**
 * Forwards a request to an agent server and streams the response back, both with backpressure.
 * @throws AgentServerUnavailableError when no response came; the reason of `end` when it was ended before the response.
 *   A response that breaks off is cut off, so that nobody takes it for complete.
 */
export function passHttp(exchange: HttpExchange): Promise<void> {
  return new Promise((resolve, reject) => {
    new HttpPassage(exchange, (error) => {
      if (error === null) resolve();
      else reject(error);
    }).start();
  });
}

class HttpPassage implements Dispatcher.DispatchHandler, Passage {
  private controller: Dispatcher.DispatchController | null = null;
  private body: Transform | null = null;
  private hasData = false;
  private isDone = false;
  private readonly idle: NodeJS.Timeout;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly settled: (error: AppError | null) => void,
  ) {
    this.idle = setTimeout(() => this.onIdle(), exchange.idleMs).unref();
  }

  start(): void {
    const { request, response, place, route, path, headers } = this.exchange;
    response.once('close', this.onClose);
    // Of the responses pending on one connection, Node informs only the first that it closed.
    request.socket.setMaxListeners(0).once('close', this.onClose);
    place.hold(this);
    if (request.socket.destroyed) this.onClose();
    if (this.isDone) return;
    const hasBody = Number(request.headers['content-length'] ?? 0) > 0 || isChunked(request);
    if (hasBody) this.body = this.openBody(headers);
    try {
      route.pool.dispatch(
        { method: request.method ?? 'GET', path: route.prefix + path, headers, body: this.body },
        this,
      );
    } catch (error) {
      this.fail('invalid request', error);
    }
  }

  heldBytes(): number {
    const { response } = this.exchange;
    return response.writableLength + (this.body?.readableLength ?? 0) + (this.body?.writableLength ?? 0);
  }

  end(reason: AppError): void {
    this.giveUp(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isDone) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational responses (1xx) are for this connection only.
    if (status < 200 || this.isDone) return;
    this.idle.refresh();
    const { response, ownHeaders, source } = this.exchange;
    const hasNoBody = status === 204 || status === 304;
    // Without a body a client would wait for the announced length.
    const passed = hasNoBody ? { ...headers, 'content-length': undefined } : headers;
    response.writeHead(status, [...ownHeaders, ...passedResponseHeaders(passed, source)]);
    if (hasNoBody) this.onResponseEnd();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isDone) return;
    const { response, place } = this.exchange;
    this.idle.refresh();
    place.countBytes('toCaller', chunk.length);
    if (this.isFirst(chunk)) {
      response.write(chunk.toString('latin1'), 'latin1');
      return;
    }
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => {
      this.idle.refresh();
      controller.resume();
    });
  }

  /**
   * Whether the chunk goes out in one piece with the headers: Node joins those with text, and latin1 text is the bytes.
   */
  private isFirst(chunk: Buffer): boolean {
    const isFirst = !this.hasData && chunk.length <= JOINED_BYTES;
    this.hasData = true;
    return isFirst;
  }

  onResponseEnd(): void {
    if (this.isDone) return;
    this.exchange.response.end();
    this.done();
    this.dropBody();
    this.settled(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(reasonOf(error), error);
  }

  /** The caller disconnected, or has the whole response. */
  private readonly onClose = (): void => {
    if (this.isDone) return;
    this.done();
    this.controller?.abort(new Error('The caller has gone.'));
    this.body?.destroy();
    this.settled(null);
  };

  private fail(reason: string, cause?: unknown): void {
    this.giveUp(new AgentServerUnavailableError(true, reason, { cause }));
  }

  /** A response that has begun can only be cut off; otherwise the caller gets an error response. */
  private giveUp(reason: AppError): void {
    if (this.isDone) return;
    const { request, response } = this.exchange;
    this.done();
    this.controller?.abort(reason);
    this.dropBody();
    if (!response.headersSent) {
      this.settled(reason);
      return;
    }
    // In HTTP/1.0 the end of the connection ends the response, unless it is reset.
    if (request.httpVersion === '1.0') request.socket.resetAndDestroy();
    response.destroy();
    this.settled(null);
  }

  private done(): void {
    this.isDone = true;
    const { request, response } = this.exchange;
    response.off('close', this.onClose);
    request.socket.off('close', this.onClose);
    const isUnread = response.headersSent && !response.destroyed && !request.socket.destroyed;
    if (!isUnread) {
      this.free();
      return;
    }
    // What the caller has not taken yet still counts as held.
    response.once('close', this.free);
    request.socket.once('close', this.free);
  }

  private readonly free = (): void => {
    clearTimeout(this.idle);
    const { request, response, place } = this.exchange;
    response.off('close', this.free);
    request.socket.off('close', this.free);
    place.free();
  };

  private onIdle(): void {
    if (this.isDone) this.exchange.response.destroy();
    else this.fail('timeout');
  }

  /** A stream between request and agent server, so that an error of one does not end the other. */
  private openBody(headers: string[]): Transform {
    const { request, place } = this.exchange;
    const { 'content-length': length } = request.headers;
    if (length !== undefined && !isChunked(request)) headers.push('content-length', length);
    const body = new Transform({
      transform: (chunk: Buffer, _encoding, callback) => {
        this.idle.refresh();
        place.countBytes('toSandbox', chunk.length);
        callback(null, chunk);
      },
    });
    body.on('error', () => undefined);
    sendContinue(request);
    request.pipe(body);
    return body;
  }

  /**
   * Discards the rest of the body that the agent server did not wait for, so that the caller gets to read the response.
   */
  private dropBody(): void {
    if (this.body === null) return;
    const { request } = this.exchange;
    request.unpipe(this.body);
    this.body.destroy();
    if (!request.readableEnded) dropRest(request);
  }
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
