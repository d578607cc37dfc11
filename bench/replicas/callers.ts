import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../org-list-load';

const PAUSE_MS = 20;

/** A request, by the clock of `performance.now()`, and the status of its response; 0 where there was none. */
interface TimedRequest {
  readonly beganAt: number;
  readonly ms: number;
  readonly status: number;
  readonly isWrite: boolean;
}

/** What requests of a span of time took, in ms. */
export interface SpanSummary {
  readonly requests: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** Callers that read lists and queue messages for conversations, one each, until they are stopped. */
export class Callers {
  readonly timed: TimedRequest[] = [];
  /** By conversation: the texts that were answered with 200, in order. */
  readonly acknowledged = new Map<string, string[]>();
  private isStopped = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly url: string,
    private readonly key: string,
    conversationIds: readonly string[],
  ) {
    this.running = Promise.all(conversationIds.map((id) => this.keepCalling(id)));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** The requests that began in a span of time. */
  during(from: number, to: number): SpanSummary {
    const requests = this.timed.filter(({ beganAt }) => beganAt >= from && beganAt < to);
    const times = requests.map(({ ms }) => ms);
    return {
      requests: requests.length,
      failed: requests.filter(({ status }) => status !== 200).length,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      longestMs: Math.round(Math.max(...times)),
    };
  }

  /** Between the last write that was answered with 200 before a moment, and the first one after it, in ms. */
  withoutWrites(moment: number): number {
    const ends = this.timed
      .filter(({ isWrite, status }) => isWrite && status === 200)
      .map(({ beganAt, ms }) => beganAt + ms);
    const after = Math.min(...ends.filter((end) => end >= moment));
    return Math.round(after - Math.max(...ends.filter((end) => end < moment)));
  }

  private async keepCalling(id: string): Promise<void> {
    const texts: string[] = [];
    this.acknowledged.set(id, texts);
    for (let n = 0; !this.isStopped; n++) {
      await this.call('GET', '/api/v1/app-conversations/search?limit=10');
      await pause(PAUSE_MS);
      const text = `message ${n}`;
      const body = { content: [{ type: 'text', text }] };
      if ((await this.call('POST', `/api/v1/conversations/${id}/pending-messages`, body)) === 200)
        texts.push(text);
      await pause(PAUSE_MS);
    }
  }

  private async call(method: string, path: string, body?: unknown): Promise<number> {
    const beganAt = performance.now();
    let status = 0;
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: { 'X-Access-Token': this.key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      ({ status } = response);
    } catch {
      // Without a response.
    }
    const ms = performance.now() - beganAt;
    this.timed.push({ beganAt, ms, status, isWrite: method === 'POST' });
    return status;
  }
}
