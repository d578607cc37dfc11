import type { ServerResponse } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { HostProblem, MEBIBYTE, messageOf } from '../../../kernel/common';
import type { UsageReader } from '../usage/usage-reader';

/** So much of an answer that is no success is read; it is a sentence. */
const MOST_REFUSAL = 64 * 1024;
/** A longer answer is none of a model. */
const MOST_ANSWER = 256 * MEBIBYTE;
/** The longest call there is; the reservation of one that is older is settled by others. */
export const LONGEST_CALL_MS = 3_600_000;

type AnswerHeaders = Record<string, string | string[] | undefined>;

/** Headers of a provider's answer that go on to the caller. */
const PASSED = [
  'content-type',
  'content-encoding',
  'content-length',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
];

/** What a provider is asked, once. */
export interface Asked {
  readonly pool: Pool;
  /** Path and query. */
  readonly path: string;
  /** Names and values alternating. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly idleMs: number;
  /** Makes what reads the usage, once it is known how the answer comes. */
  readonly readerFor: (isStream: boolean, encoding: string | undefined) => UsageReader;
}

/** How a try ended. */
export type TryOutcome =
  /** The answer was passed on, from its first byte on. */
  | {
      readonly kind: 'passed';
      readonly status: number;
      readonly reader: UsageReader;
      /** Why it broke off; null for an answer that came to its end. */
      readonly broke: 'caller' | 'provider' | 'too long' | null;
      readonly firstByteAt: number;
      /** How long the provider had for it, from when it was asked. */
      readonly lastedMs: number;
    }
  /** Nothing was passed on: the provider answered something else than a success. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly text: string;
    }
  /** Nothing was passed on, and there was no answer. */
  | {
      readonly kind: 'failed';
      readonly why: 'caller' | 'connection' | 'timeout' | 'host';
      readonly sentence: string;
      /** Whether the provider may have begun to work on the call. */
      readonly wasSent: boolean;
    };

/**
 * Asks a provider and passes a successful answer on, as its bytes come and no faster than the caller takes them. What is no
 * success is not passed on: somebody else may be asked.
 */
export function exchange(asked: Asked, response: ServerResponse): Promise<TryOutcome> {
  return new Promise((resolve) => new ProviderExchange(asked, response, resolve).start());
}

class ProviderExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private reader: UsageReader | null = null;
  private status = 0;
  private headers: AnswerHeaders = {};
  private refusal: Buffer[] = [];
  private refusalBytes = 0;
  private answerBytes = 0;
  private isDone = false;
  private movedAt = performance.now();
  private firstByteAt = 0;
  private readonly beganAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly asked: Asked,
    private readonly response: ServerResponse,
    private readonly resolve: (outcome: TryOutcome) => void,
  ) {}

  start(): void {
    const { pool, path, headers, body } = this.asked;
    this.response.once('close', this.onClose);
    if (this.response.destroyed) {
      this.onClose();
      return;
    }
    this.watch();
    try {
      pool.dispatch({ method: 'POST', path, headers: [...headers], body }, this);
    } catch (error) {
      this.fail('connection', messageOf(error), false);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isDone) controller.abort(new Error('given up'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // Interim responses are for this connection, and are no sign of life.
    if (status < 200 || this.isDone) return;
    this.movedAt = performance.now();
    this.status = status;
    this.headers = headers;
    if (status < 300) this.begin();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isDone) return;
    if (this.reader === null) {
      this.movedAt = performance.now();
      this.refusal.push(chunk.subarray(0, MOST_REFUSAL - this.refusalBytes));
      this.refusalBytes += chunk.length;
      if (this.refusalBytes >= MOST_REFUSAL) this.refused();
      return;
    }
    if (this.firstByteAt === 0) this.firstByteAt = performance.now();
    this.answerBytes += chunk.length;
    if (this.answerBytes > MOST_ANSWER) {
      this.cutOff('too long');
      return;
    }
    const passed = this.reader.push(chunk);
    if (passed === null || this.response.write(passed)) return;
    controller.pause();
    this.response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.isDone) return;
    if (this.reader === null) {
      this.refused();
      return;
    }
    const rest = this.reader.rest();
    if (rest === null) this.response.end();
    else this.response.end(rest);
    this.settle(this.passed(null));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isDone) return;
    if (this.reader !== null) {
      this.cutOff('provider');
      return;
    }
    const host = hostProblem(error);
    if (host !== null) this.fail('host', host, false);
    else this.fail('connection', reasonOf(error), this.status > 0);
  }

  private begin(): void {
    const type = first(this.headers['content-type']) ?? '';
    const isStream = type.toLowerCase().startsWith('text/event-stream');
    this.reader = this.asked.readerFor(isStream, first(this.headers['content-encoding']));
    for (const name of PASSED) {
      const value = first(this.headers[name]);
      // A stream has a piece less at the caller than at the provider, where that is left out.
      if (value !== undefined && !(isStream && name === 'content-length'))
        this.response.setHeader(name, value);
    }
    this.response.writeHead(this.status);
    if (isStream) this.response.flushHeaders();
  }

  private refused(): void {
    const { status, headers } = this;
    const text = Buffer.concat(this.refusal).toString();
    this.settle({ kind: 'refused', status, headers, text });
    this.controller?.abort(new Error('not read'));
  }

  private fail(why: 'caller' | 'connection' | 'timeout' | 'host', sentence: string, wasSent: boolean): void {
    this.settle({ kind: 'failed', why, sentence, wasSent });
    this.controller?.abort(new Error(sentence));
  }

  /** An answer that has begun can only be cut off, so that nobody takes it for complete. */
  private cutOff(broke: 'caller' | 'provider' | 'too long'): void {
    const outcome = this.passed(broke);
    this.settle(outcome);
    this.controller?.abort(new Error('cut off'));
    this.response.destroy();
  }

  private passed(broke: 'caller' | 'provider' | 'too long' | null): TryOutcome {
    const { reader, status, firstByteAt } = this;
    if (reader === null) throw new Error('Nothing was passed on.');
    const now = performance.now();
    const lastedMs = now - this.beganAt;
    return { kind: 'passed', status, reader, broke, firstByteAt: firstByteAt || now, lastedMs };
  }

  private settle(outcome: TryOutcome): void {
    if (this.isDone) return;
    this.isDone = true;
    clearTimeout(this.timer);
    this.response.off('close', this.onClose);
    this.resolve(outcome);
  }

  private readonly onClose = (): void => {
    if (this.isDone) return;
    if (this.reader !== null) this.cutOff('caller');
    else this.fail('caller', 'The caller has gone.', this.controller !== null);
  };

  private get lastMovedAt(): number {
    return Math.max(this.movedAt, this.reader?.lastSaidAt ?? 0);
  }

  /** Looks now and then whether anything moves, which costs less than a timer for each piece. */
  private watch(): void {
    const { idleMs } = this.asked;
    this.timer = setTimeout(
      () => {
        const now = performance.now();
        const isLate = now - this.beganAt >= LONGEST_CALL_MS;
        if (!isLate && now - this.lastMovedAt < idleMs) this.watch();
        else if (this.reader !== null) this.cutOff(isLate ? 'too long' : 'provider');
        else this.fail('timeout', 'it did not answer in time', true);
      },
      Math.max(1, Math.min(idleMs - (performance.now() - this.lastMovedAt), LONGEST_CALL_MS)),
    );
    this.timer.unref();
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** Why an address is not called, from whatever error the client wrapped it in. */
function hostProblem(error: Error): string | null {
  if (error instanceof HostProblem) return error.message;
  return error.cause instanceof Error ? hostProblem(error.cause) : null;
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
