import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../src/kernel/common';
import { saying } from '../queue/queued-messages';
import { ResumingReader } from '../streams/resuming-reader';

/** Between two requests of a caller. */
const PAUSE_MS = 50;
/** How often docs/scaling.md has `/ready` asked for. */
const READY_MS = 200;

/** What a load is made on. */
export interface LoadTarget {
  readonly url: string;
  readonly key: string;
  /** Each gets messages, one after the other, and has a reader of its stream. */
  readonly conversationIds: readonly string[];
}

/** Requests of several callers over kept connections, until it is stopped. */
export class Load {
  /** Requests that were answered as they should be. */
  succeeded = 0;
  /** What became of the others. */
  readonly failures: string[] = [];
  /** By conversation: the texts that were answered with 200, in order. */
  readonly sent = new Map<string, string[]>();
  readonly streams: ReadonlyMap<string, ResumingReader>;
  private isStopped = false;
  private readonly callers: Promise<void>[];

  constructor(private readonly target: LoadTarget) {
    const { url, key, conversationIds } = target;
    const streamOf = (id: string): string => `${url}/api/v1/conversation/${id}/events/stream`;
    this.streams = new Map(conversationIds.map((id) => [id, new ResumingReader(streamOf(id), key)]));
    this.callers = [
      ...conversationIds.map((id) => this.send(id)),
      this.repeat(PAUSE_MS, () => this.call('/api/v1/app-conversations/search?limit=10')),
      this.repeat(READY_MS, () => this.call('/ready')),
    ];
  }

  /** Ends the callers; streams are read on. */
  async stopCalls(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.callers);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    await this.stopCalls();
    await Promise.all([...this.streams.values()].map((stream) => stream.stop()));
  }

  private async repeat(pauseMs: number, call: () => Promise<unknown>): Promise<void> {
    while (!this.isStopped) {
      await call();
      await sleep(pauseMs);
    }
  }

  private async send(id: string): Promise<void> {
    const texts: string[] = [];
    this.sent.set(id, texts);
    for (let count = 0; !this.isStopped; count += 1) {
      const text = `message ${count}`;
      const init = { method: 'POST', body: JSON.stringify(saying(text)) };
      if (await this.call(`/api/v1/app-conversations/${id}/send-message`, init)) texts.push(text);
      await sleep(PAUSE_MS);
    }
  }

  private async call(path: string, init: RequestInit = {}): Promise<boolean> {
    const { url, key } = this.target;
    const name = `${init.method ?? 'GET'} ${path}`;
    try {
      const headers = { 'X-Access-Token': key, 'Content-Type': 'application/json' };
      const response = await fetch(url + path, { ...init, headers });
      const text = await response.text();
      if (response.status === 200) this.succeeded += 1;
      else this.failures.push(`${name}: ${response.status} ${text}`);
      return response.status === 200;
    } catch (error) {
      this.failures.push(
        `${name}: ${messageOf(error instanceof Error && error.cause ? error.cause : error)}`,
      );
      return false;
    }
  }
}
