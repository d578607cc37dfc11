import type { IncomingMessage } from 'node:http';
import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { isAxiosError } from 'axios';
import { Webhook } from 'standardwebhooks';
import { Clock, isRecord, VERSION } from '../../../../kernel/common';
import { CheckedAgents } from '../../addresses/checked-agents';
import { beginningOf, readBeginning } from './answer-text';
import { retryAfterMs } from './back-off';
import { callbackTransport } from './callback-transport';
import { failureText } from './failure-text';

/** Milliseconds for the whole of a callback: name, connection, request and answer. */
export const TOTAL_MS = 15_000;

/** One callback that is to be made. */
export interface Callback {
  readonly deliveryId: string;
  readonly url: string;
  readonly body: string;
  /** The current secret, and during a rotation the one before. */
  readonly secrets: readonly string[];
}

/** What came of a callback. */
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
  constructor(
    private readonly http: HttpService,
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
      const { status, headers, data } = await this.http.axiosRef.request<IncomingMessage>({
        ...{ method: 'POST', url: callback.url, data: Buffer.from(callback.body), signal },
        headers: headersOf(callback, at),
        ...{ httpAgent: this.agents.http, httpsAgent: this.agents.https, proxy: false },
        ...{ transport: callbackTransport, maxRedirects: 0 },
        ...{ responseType: 'stream', decompress: false, validateStatus: null },
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
  if (!isAxiosError(error) || error.code !== 'ECONNRESET' || error.response !== undefined) return false;
  const request: unknown = error.request;
  return isRecord(request) && request['reusedSocket'] === true;
}
