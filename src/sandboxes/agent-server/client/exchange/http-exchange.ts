import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ResponseBudget, PartialResponse } from './response-budget';

/**
 * Most lists and objects of a response: each takes some sixty bytes once it is read, so that they decide about memory where
 * a response consists of little else.
 */
const MAX_BRACKETS = 1_000_000;
const BRACKETS = [0x5b, 0x7b];

/** Thrown when a response exceeds the limit of its call. */
export const RESPONSE_TOO_LARGE = 'answer too large';

/** One request as it goes to the wire. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string | Buffer;
  /** For the whole exchange: waiting for a connection, sending, and the response to its last byte. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Of the response's text; `latin1` keeps its bytes. Default: `utf8`. */
  readonly encoding?: 'utf8' | 'latin1';
  /** The budget that the bytes of the response count against. */
  readonly budget: ResponseBudget;
  readonly server: string;
  readonly signal?: AbortSignal | undefined;
  /** Called when a connection is there, right before the first byte; what it throws keeps that from being written. */
  readonly beforeWrite?: (() => void) | undefined;
}

/** A complete response; of one that is no 2xx and too large, the status alone. */
export interface ExchangeResponse {
  readonly status: number;
  readonly text: string;
}

/** No complete response came. */
export class ExchangeError extends Error {
  /**
   * @param sent whether the request may have reached the other side
   * @param reason `timeout`, `aborted`, {@link RESPONSE_TOO_LARGE}, or the code of the network error
   */
  constructor(
    readonly sent: boolean,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`No answer: ${reason}.`, options);
    this.name = 'ExchangeError';
  }
}

/**
 * Sends one request and reads its whole response. It uses undici's dispatch, not its `request`, because only
 * a handler learns whether the request was written to a connection: what was never written may be sent
 * again without fear of doing it twice.
 * @throws ExchangeError when no complete response came; the connection is then closed
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, resolve, reject);
    if (!handler.finished) {
      dispatcher.dispatch(
        { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
        handler,
      );
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler, PartialResponse {
  finished = false;
  bytes = 0;

  private sent = false;
  private status = 0;
  private readonly chunks: Buffer[] = [];
  private brackets = 0;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly request: ExchangeRequest,
    private readonly resolve: (response: ExchangeResponse) => void,
    private readonly reject: (error: ExchangeError) => void,
  ) {
    this.timer = setTimeout(() => {
      this.giveUp('timeout');
    }, request.timeoutMs);
    request.signal?.addEventListener('abort', this.onAbort);
    if (request.signal?.aborted) this.giveUp('aborted');
  }

  get server(): string {
    return this.request.server;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Given up while waiting for a connection: nothing is written then.
    if (this.finished) controller.abort(new Error('given up'));
    else if (this.mayWrite()) this.sent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.status = status;
    if (Number(headers['content-length']) > this.request.maxResponseBytes) this.refuse();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.finished) return;
    this.brackets += bracketsIn(chunk);
    if (this.bytes + chunk.length > this.request.maxResponseBytes || this.brackets > MAX_BRACKETS) {
      this.refuse();
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.request.budget.add(this, chunk.length);
  }

  onResponseEnd(): void {
    if (!this.finish()) return;
    const [first] = this.chunks;
    const whole = first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
    this.chunks.length = 0;
    this.resolve({ status: this.status, text: whole.toString(this.request.encoding ?? 'utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.finish()) this.reject(new ExchangeError(this.sent, codeOf(error), { cause: error }));
  }

  private mayWrite(): boolean {
    try {
      this.request.beforeWrite?.();
      return true;
    } catch (error) {
      this.giveUp(error instanceof Error ? error.message : 'not to be written');
      return false;
    }
  }

  private readonly onAbort = (): void => {
    this.giveUp('aborted');
  };

  giveUp(reason: string): void {
    if (!this.finish()) return;
    this.reject(new ExchangeError(this.sent, reason));
    this.controller?.abort(new Error(reason));
  }

  /** Of an error response, only the status matters. */
  private refuse(): void {
    if (this.status < 300) {
      this.giveUp(RESPONSE_TOO_LARGE);
      return;
    }
    if (!this.finish()) return;
    this.resolve({ status: this.status, text: RESPONSE_TOO_LARGE });
    this.controller?.abort(new Error(RESPONSE_TOO_LARGE));
  }

  private finish(): boolean {
    if (this.finished) return false;
    this.finished = true;
    this.request.budget.remove(this);
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.onAbort);
    return true;
  }
}

function bracketsIn(chunk: Buffer): number {
  let found = 0;
  for (const bracket of BRACKETS)
    for (let at = chunk.indexOf(bracket); at !== -1; at = chunk.indexOf(bracket, at + 1)) found++;
  return found;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
