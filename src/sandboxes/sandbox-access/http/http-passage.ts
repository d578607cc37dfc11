import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { AgentServerUnavailableError, type Route } from '../../agent-server';
import type { AppError } from '../../../kernel/common';
import type { Passage, Place } from '../connections/open-connections';
import { responseHeaders, type ResponseSource, type OwnResponse } from './response-headers';
import { Transform } from 'node:stream';
import { dropRest, sendContinue } from '../../../kernel/http';

/**
 * The body of a request on its way to the agent server, between two streams that end on their own: one that breaks must
 * not end the other.
 */
class Upload {
  /** What the agent server reads. */
  readonly stream: Transform;

  /** @param passed called for what comes, piece by piece */
  constructor(
    private readonly request: IncomingMessage,
    passed: (bytes: number) => void,
  ) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, callback) => {
        passed(chunk.length);
        callback(null, chunk);
      },
    });
    this.stream.on('error', () => undefined);
    sendContinue(request);
    request.pipe(this.stream);
  }

  /** Bytes received and not yet forwarded. */
  get heldBytes(): number {
    return this.stream.readableLength + this.stream.writableLength;
  }

  /**
   * Breaks it off at the agent server. What still comes is read and dropped, so that the caller gets to read the answer.
   * @param ended called when nothing comes any more, or too much has, or for too long
   */
  drop(ended: () => void): void {
    const { request, stream } = this;
    request.unpipe(stream);
    stream.destroy();
    if (request.readableEnded || request.socket.destroyed) ended();
    else dropRest(request, ended);
  }
}

/** Whether a request has a body. */
function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Whether the body of a request comes without a length. */
function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** A body up to this size is sent together with the headers, in one system call instead of two. */
const JOINED_BYTES = 16_384;

type AnswerHeaders = Record<string, string | string[] | undefined>;

/** One request and its target. */
interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly place: Place;
  readonly route: Route;
  /** Path and query at the agent server. */
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: string[];
  readonly own: OwnResponse;
  readonly source: ResponseSource;
  readonly idleMs: number;
}

/**
 * Called once with how a request ended.
 * @param error why no answer came, an AgentServerUnavailableError or what ended it before the answer; null for an answer,
 *   and for a caller who has gone. An answer that breaks off is cut off, so that nobody takes it for complete.
 */
type Settled = (error: AppError | null) => void;

/**
 * Passes a request to an agent server and its answer back, both as they come, and each no faster than the other side
 * takes it. Without promises: most requests are short, and making these would be a good part of their cost.
 */
export function passHttp(exchange: HttpExchange, settled: Settled): void {
  new HttpPassage(exchange, settled).start();
}

class HttpPassage implements Dispatcher.DispatchHandler, Passage {
  private controller: Dispatcher.DispatchController | null = null;
  private upload: Upload | null = null;
  private bodyLength = Number.NaN;
  private hasData = false;
  /** A body that is already complete: it is sent in one write with the headers and the end. */
  private wholeBody = '';
  /** Whether the passage is closed. */
  private isDone = false;
  /** The caller has read what was buffered, or has disconnected. */
  private isTaken = false;
  /** When bytes last moved. */
  private movedAt = performance.now();

  constructor(
    private readonly exchange: HttpExchange,
    private readonly settled: Settled,
  ) {}

  start(): void {
    const { request, response, place, route, path, headers } = this.exchange;
    response.once('close', this.onClose);
    // Of the responses pending on one connection, Node informs only the first that it closed.
    request.socket.setMaxListeners(0).once('close', this.onClose);
    place.hold(this);
    if (request.socket.destroyed) this.onClose();
    if (this.isDone) return;
    if (hasBody(request)) this.upload = this.openUpload(headers);
    try {
      route.pool.dispatch(
        {
          method: request.method ?? 'GET',
          path: route.prefix + path,
          headers: [...route.headers, ...headers],
          body: this.upload?.stream ?? null,
        },
        this,
      );
    } catch (error) {
      this.fail('invalid request', error);
    }
  }

  heldBytes(): number {
    return this.exchange.response.writableLength + (this.upload?.heldBytes ?? 0);
  }

  end(reason: AppError): void {
    this.giveUp(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isDone) controller.abort(new Error('given up'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // Interim responses (1xx) are for this connection only.
    if (status < 200 || this.isDone) return;
    this.movedAt = performance.now();
    const { response, own, source } = this.exchange;
    const hasNoBody = status === 204 || status === 304;
    // The length of a body that does not come would be waited for.
    if (hasNoBody) delete headers['content-length'];
    else this.bodyLength = Number(headers['content-length']);
    response.writeHead(status, responseHeaders(own, headers, source));
    if (hasNoBody) this.onResponseEnd();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isDone) return;
    const { response, place } = this.exchange;
    this.movedAt = performance.now();
    place.countBytes('toCaller', chunk.length);
    if (this.joinsHeaders(chunk) || response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => {
      this.movedAt = performance.now();
      controller.resume();
    });
  }

  /** Node joins the headers with text only, and text of bytes is the bytes. */
  private joinsHeaders(chunk: Buffer): boolean {
    const isJoined = !this.hasData && chunk.length <= JOINED_BYTES;
    this.hasData = true;
    if (!isJoined) return false;
    const text = chunk.toString('latin1');
    // Its end is reported at once.
    if (chunk.length === this.bodyLength) this.wholeBody = text;
    else this.exchange.response.write(text, 'latin1');
    return true;
  }

  onResponseEnd(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.endAnswer();
    this.upload?.drop(this.onUploadEnd);
    this.settled(null);
  }

  /** In one piece: given to `end`, a body would be followed by an empty piece, and two cost twice what one does. */
  private endAnswer(): void {
    const { response } = this.exchange;
    const { socket } = response;
    if (this.wholeBody !== '') {
      socket?.cork();
      response.write(this.wholeBody, 'latin1');
      socket?.uncork();
    }
    response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(reasonOf(error), error);
  }

  private fail(reason: string, cause?: unknown): void {
    this.giveUp(new AgentServerUnavailableError(true, reason, { cause }));
  }

  /** A response that has begun can only be cut off; otherwise the caller gets an error response. */
  private giveUp(reason: AppError): void {
    if (this.isDone) return;
    const { request, response } = this.exchange;
    this.isDone = true;
    this.controller?.abort(reason);
    this.upload?.drop(this.onUploadEnd);
    if (!response.headersSent) {
      this.taken();
      this.settled(reason);
      return;
    }
    // In HTTP/1.0 the end of the connection ends the response, unless it is reset.
    if (request.httpVersion === '1.0') request.socket.resetAndDestroy();
    response.destroy();
    this.settled(null);
  }

  /** The caller has disconnected, or has the complete response. */
  private readonly onClose = (): void => {
    const isGone = !this.isDone;
    this.isDone = true;
    if (isGone) {
      this.controller?.abort(new Error('The caller has gone.'));
      this.upload?.drop(this.onUploadEnd);
    }
    this.taken();
    if (isGone) this.settled(null);
  };

  private taken(): void {
    const { request, response } = this.exchange;
    response.off('close', this.onClose);
    request.socket.off('close', this.onClose);
    this.isTaken = true;
    this.free();
  }

  private readonly onUploadEnd = (): void => {
    this.upload = null;
    this.free();
  };

  /** What the caller has not taken yet is held as before, and so is what still comes of an upload. */
  private free(): void {
    if (this.isTaken && this.upload === null) this.exchange.place.free();
  }

  endIfIdle(nowMs: number): void {
    if (this.isTaken || nowMs - this.movedAt < this.exchange.idleMs) return;
    if (this.isDone) this.exchange.response.destroy();
    else this.fail('timeout');
  }

  private openUpload(headers: string[]): Upload {
    const { request, place } = this.exchange;
    const { 'content-length': length } = request.headers;
    if (length !== undefined && !isChunked(request)) headers.push('content-length', length);
    return new Upload(request, (bytes) => {
      this.movedAt = performance.now();
      place.countBytes('toSandbox', bytes);
    });
  }
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
