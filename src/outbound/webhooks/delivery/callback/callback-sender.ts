import http, { type IncomingMessage } from 'node:http';
import type { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Clock, isRecord, VERSION, HostProblem, messageOf } from '../../../../kernel/common';
import { CheckedAgents } from '../../addresses/webhook-addresses';
import { retryAfterMs } from './back-off';
import type { Readable } from 'node:stream';
import { MAX_ANSWER_BYTES } from '../../record/limits';
import https from 'node:https';

/** Messages for users instead of connection errors, which contain addresses of the service's network. */
const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the end of the answer.',
  EPIPE: 'The connection was closed before the end of the answer.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
};

/** Why a callback failed, without addresses, URLs or anything else that its owner did not enter. */
function failureText(error: unknown): string {
  const refusal = problemOf(error);
  if (refusal !== null) return `It was not sent: ${refusal}.`;
  const code = codeOf(error);
  if (code === null) return 'The answer could not be read.';
  return TEXTS[code] ?? `The connection failed (${code}).`;
}

/** The reason why an address was refused, from whatever error the client wrapped it in. */
function problemOf(error: unknown): string | null {
  if (error instanceof HostProblem) return messageOf(error);
  return isRecord(error) && error['cause'] !== undefined && error['cause'] !== error
    ? problemOf(error['cause'])
    : null;
}

function codeOf(error: unknown): string | null {
  if (!isRecord(error)) return null;
  const { code, cause } = error;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  return cause === undefined || cause === error ? null : codeOf(cause);
}

/** Interim answers (1xx) to one request; a receiver that sends them without end would keep the process busy. */
const MOST_INTERIM = 16;

/** What axios makes requests with: like node:http and node:https, but bounded in what comes before the answer. */
const callbackTransport = {
  /** Begins a request; it fails when too many interim answers come. */
  request(
    options: https.RequestOptions,
    answered: (answer: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const { request: begin } = options.protocol === 'https:' ? https : http;
    const request = begin(options, answered);
    let interim = 0;
    request.on('information', () => {
      if (++interim > MOST_INTERIM) request.destroy(new Error('There were too many interim answers.'));
    });
    // Without a listener, Node closes the connection and says nothing.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      request.emit('error', new Error('The answer was in another protocol.'));
    });
    return request;
  },
};

/** How much of a response is read before the connection is closed. */
const MAX_READ_BYTES = 64 * 1024;

/**
 * Reads an answer to its end, but no further than 64 kB: then its connection is closed.
 * @returns its first kilobyte
 * @throws what the stream fails with
 */
async function readBeginning(answer: Readable, signal: AbortSignal): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  const cut = (): void => void answer.destroy(new Error('The answer is not waited for any longer.'));
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (length < MAX_ANSWER_BYTES) kept.push(chunk.subarray(0, MAX_ANSWER_BYTES - length));
      length += chunk.length;
      // Leaving the loop destroys the stream.
      if (length >= MAX_READ_BYTES) break;
    }
  } finally {
    signal.removeEventListener('abort', cut);
  }
  return Buffer.concat(kept);
}

/** The beginning of an answer as text that can be stored: cut between characters, and without NUL. */
function beginningOf(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const text = decoder.decode(bytes, { stream: bytes.length === MAX_ANSWER_BYTES });
  return text.replaceAll('\u0000', '');
}

/** Milliseconds for the whole of a callback: name, connection, request and answer. */
const TOTAL_MS = 15_000;

/** One callback that is to be made. */
export interface Callback {
  readonly deliveryId: string;
  readonly url: string;
  readonly body: string;
  /** The current secret, and during a rotation the one before. */
  readonly secrets: readonly string[];
}

/** The outcome of a callback. */
export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** What went wrong; null for a success. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly answer: string | null;
  readonly retryAfterMs: number | null;
}

/** Makes callbacks as Standard Webhooks describes them (docs/webhooks.md#signatures). */
@Injectable()
export class CallbackSender {
  private http: Promise<HttpService> | undefined;

  constructor(
    private readonly agents: CheckedAgents,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one request.
   * @param signal cuts it off
   * @throws the reason of the signal, and nothing else
   */
  async send(callback: Callback, signal: AbortSignal): Promise<Attempt> {
    const at = this.clock.now();
    const began = this.clock.monotonicMs();
    const outcome = await this.exchange(callback, at, signal);
    return { at, durationMs: Math.round(this.clock.monotonicMs() - began), ...outcome };
  }

  private async exchange(
    callback: Callback,
    at: Date,
    signal: AbortSignal,
  ): Promise<Omit<Attempt, 'at' | 'durationMs'>> {
    const end = new AbortController();
    const cut = (): void => end.abort();
    const timer = setTimeout(cut, TOTAL_MS);
    signal.addEventListener('abort', cut, { once: true });
    try {
      signal.throwIfAborted();
      return await this.request(callback, at, end.signal);
    } catch (error) {
      signal.throwIfAborted();
      const text = end.signal.aborted
        ? `There was no complete answer within ${TOTAL_MS / 1_000} seconds.`
        : failureText(error);
      return { status: null, error: text, answer: null, retryAfterMs: null };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cut);
    }
  }

  private async request(
    callback: Callback,
    at: Date,
    signal: AbortSignal,
    isAgain = false,
  ): Promise<Omit<Attempt, 'at' | 'durationMs'>> {
    try {
      const { axiosRef } = await this.client();
      const { status, headers, data } = await axiosRef.request<IncomingMessage>({
        method: 'POST',
        url: callback.url,
        data: Buffer.from(callback.body),
        signal,
        headers: headersOf(callback, at),
        httpAgent: this.agents.http,
        httpsAgent: this.agents.https,
        proxy: false,
        transport: callbackTransport,
        maxRedirects: 0,
        responseType: 'stream',
        decompress: false,
        validateStatus: null,
      });
      const answer = beginningOf(await readBeginning(data, signal));
      const after: unknown = headers['retry-after'];
      return {
        status,
        error: status >= 200 && status < 300 ? null : statusText(status),
        answer,
        retryAfterMs: retryAfterMs(typeof after === 'string' ? after : undefined, at),
      };
    } catch (error) {
      // The endpoint closed a connection that was kept, before it can have read the request.
      if (!isAgain && !signal.aborted && wasIdle(error)) return this.request(callback, at, signal, true);
      throw error;
    }
  }

  /** It is loaded for the first callback. */
  private client(): Promise<HttpService> {
    this.http ??= import('@nestjs/axios').then(({ HttpService: Service }) => new Service());
    return this.http;
  }
}

function headersOf({ deliveryId, body, secrets }: Callback, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': `org-conversation-service/${VERSION}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(deliveryId, at, body)).join(' '),
  };
}

function statusText(status: number): string {
  return status >= 300 && status < 400
    ? `It was redirected with the status ${status}, which is not followed.`
    : `The answer had the status ${status}.`;
}

function wasIdle(error: unknown): boolean {
  if (!isRecord(error) || error['isAxiosError'] !== true) return false;
  const { code, response, request } = error;
  if (code !== 'ECONNRESET' || response !== undefined) return false;
  return isRecord(request) && request['reusedSocket'] === true;
}
