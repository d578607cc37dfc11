import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AgentServerUnavailableError, type Route } from '../../agent-server';
import type { AppError } from '../../common';
import { dropRest, sendContinue } from '../../http';
import type { Passage, Place } from '../connections/open-connections';
import { type ResponseSource, passedResponseHeaders } from './response-headers';

/** A body up to this size is sent with the headers by one call of the system instead of two. */
const JOINED_BYTES = 16_384;

/** One request, and where it goes. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly place: Place;
  readonly route: Route;
  /** At the agent server, with its query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  /** The service's own of the response, in the same form. */
  readonly ownHeaders: readonly string[];
  readonly source: ResponseSource;
  readonly idleMs: number;
}

/**
 * Passes a request to an agent server and its response back, both as they come, and each no faster than the other side
 * takes it.
 * @throws AgentServerUnavailableError when no response came; what ended it, when that came before the response. A response
 *   that breaks off is cut off, so that nobody takes it for complete.
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
    // Of the responses that a connection waits for, Node tells only the first that the connection is closed.
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
    // The length of a body that does not come would be waited for.
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

  /** Whether it goes out with the headers in one piece: Node joins those with text, and text of bytes is the bytes. */
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

  /** The caller has gone, or has the whole response. */
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

  /** A response that has begun can only be cut off; otherwise the caller hears why there is none. */
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
    // Before HTTP/1.1 the end of the connection is the end of the response, unless it is reset.
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
    // What the caller has not taken yet is held as before.
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

  /** The body on its way, between two streams that end on their own: one that breaks must not end the other. */
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

  /** What the agent server did not wait for is read and dropped, so that the caller gets to read the response. */
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
