import { setTimeout as sleep } from 'node:timers/promises';
import { hexOf } from '../../../kernel/common';
import type { WebhookSpec } from '../config/embedded-config';
import type { StoredEvent } from './event-log';

const POST_TIMEOUT_MS = 30_000;
const MAX_QUEUE = 1_000;
const MAX_BATCH_BYTES = 5 * 1024 * 1024;
/** How long a stopping server still tries to send pending events. */
const LAST_TRY_MS = 2_000;

/**
 * Sends the events of one conversation to one webhook: in order, in batches, at least once. A batch that
 * fails for good goes back to the front of the queue; beyond its limit the oldest events are dropped. Unlike
 * the real server it tries again by itself then, not only when the next event comes.
 */
export class WebhookFeed {
  private queue: StoredEvent[] = [];
  private timer: NodeJS.Timeout | null = null;
  private chain: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly spec: WebhookSpec,
    private readonly sessionApiKey: string | null,
    private readonly conversationId: string,
  ) {}

  /** Takes one more event. */
  push(event: StoredEvent): void {
    this.queue.push(event);
    if (this.queue.length >= this.spec.event_buffer_size) this.flush();
    else this.arm();
  }

  /** Sends what the conversation is, at once and unbatched. */
  async sendInfo(info: unknown): Promise<void> {
    await this.post('/conversations', JSON.stringify(info));
  }

  /** Tries once more to send pending events, for a short time. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.flush();
    await this.chain;
  }

  private arm(): void {
    this.timer ??= setTimeout(() => this.flush(), this.spec.flush_delay * 1000);
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.chain = this.chain.then(() => this.drain());
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const { count, body } = firstBatch(this.queue.slice(0, this.spec.event_buffer_size));
      const batch = this.queue.splice(0, count);
      if (await this.post(`/events/${hexOf(this.conversationId)}`, body)) continue;
      this.queue = [...batch, ...this.queue].slice(-MAX_QUEUE);
      if (!this.stopping.signal.aborted) this.arm();
      return;
    }
  }

  /** @returns whether it was taken, after all tries */
  private async post(path: string, body: string): Promise<boolean> {
    for (let attempt = 0; attempt <= this.spec.num_retries; attempt++) {
      if (attempt > 0) {
        const { signal } = this.stopping;
        await sleep(this.spec.retry_delay * 1000, undefined, { signal }).catch(() => undefined);
      }
      if (await this.tryPost(path, body)) return true;
      if (this.stopping.signal.aborted) return false;
    }
    process.stderr.write(`A webhook was not taken: ${this.spec.base_url}${path}\n`);
    return false;
  }

  private async tryPost(path: string, body: string): Promise<boolean> {
    try {
      const response = await fetch(this.spec.base_url + path, {
        method: 'POST',
        headers: {
          ...this.spec.headers,
          'content-type': 'application/json',
          ...(this.sessionApiKey === null ? {} : { 'x-session-api-key': this.sessionApiKey }),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(this.stopping.signal.aborted ? LAST_TRY_MS : POST_TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

function firstBatch(queue: readonly StoredEvent[]): { count: number; body: string } {
  const parts: string[] = [];
  let bytes = 0;
  for (const event of queue) {
    const part = JSON.stringify(event);
    bytes += Buffer.byteLength(part) + 1;
    if (parts.length > 0 && bytes > MAX_BATCH_BYTES) break;
    parts.push(part);
  }
  return { count: parts.length, body: `[${parts.join(',')}]` };
}
