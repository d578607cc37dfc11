import { setTimeout as pause } from 'node:timers/promises';
import { ConversationClient } from '../../test/support/service/conversation-client';
import { StreamReader } from '../../test/support/streams/stream-reader';
import type { Installation } from './installation';

const TEXT = {
  content: [{ type: 'text', text: 'What does the build say, and what would you change? '.repeat(4) }],
};

/** A request to a conversation: method, path and body. */
type Made = readonly [method: string, path: string, body?: unknown];

/** Of twenty requests: nine read a conversation, five read lists, six write. */
const MIX: readonly ((id: string, orgId: string) => Made)[] = [
  ...Array<(id: string) => Made>(3).fill((id) => ['GET', `/api/v1/app-conversations?ids=${id}`]),
  ...Array<(id: string) => Made>(3).fill((id) => [
    'GET',
    `/api/v1/conversation/${id}/events/search?limit=50`,
  ]),
  ...Array<(id: string) => Made>(3).fill((id) => ['GET', `/api/v1/conversations/${id}/pending-messages`]),
  ...Array<(id: string) => Made>(3).fill(() => ['GET', '/api/v1/app-conversations/search?limit=20']),
  (_, orgId) => ['GET', `/api/organizations/${orgId}/conversations`],
  () => ['GET', '/api/v1/sandboxes/search?limit=20'],
  ...Array<(id: string) => Made>(4).fill((id) => [
    'POST',
    `/api/v1/app-conversations/${id}/send-message`,
    TEXT,
  ]),
  ...Array<(id: string) => Made>(2).fill((id) => [
    'POST',
    `/api/v1/conversations/${id}/pending-messages`,
    TEXT,
  ]),
];

/** How traffic is made. */
export interface TrafficOptions {
  readonly perSecond: number;
  /** How many conversations are open at a time. */
  readonly conversations: number;
  /** How long one lasts. */
  readonly conversationSeconds: number;
  readonly orgId: string;
}

/** Requests at a rate, whatever their responses take, to conversations that start, are streamed, and end. */
export class Traffic {
  /** Milliseconds of the requests since they were taken last. */
  private durations: number[] = [];
  readonly failures = new Map<string, number>();
  requests = 0;
  started = 0;
  ended = 0;
  streamedEvents = 0;
  private readonly open: string[] = [];
  private readonly running: Promise<void>[] = [];
  private isStopped = false;
  private readonly client: ConversationClient;

  constructor(
    private readonly installation: Installation,
    private readonly options: TrafficOptions,
  ) {
    this.client = new ConversationClient(installation.service, installation.key);
    const { conversations } = options;
    for (let n = 0; n < conversations; n++) this.running.push(this.keepOne(n / conversations));
    this.running.push(this.request());
  }

  /** The durations since the last call, in ms. */
  take(): number[] {
    const taken = this.durations;
    this.durations = [];
    return taken;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** @param share of a lifetime after which the first conversation starts, so that they do not all start at once */
  private async keepOne(share: number): Promise<void> {
    const { conversationSeconds } = this.options;
    await pause(share * conversationSeconds * 1_000);
    while (!this.isStopped) {
      try {
        await this.live();
      } catch (error) {
        this.note(`conversation: ${String(error)}`);
      }
    }
  }

  private async live(): Promise<void> {
    const { service, key } = this.installation;
    const id = await this.client.ready();
    this.started += 1;
    const stream = await StreamReader.open(`${service.url}/api/v1/conversation/${id}/events/stream?after=0`, {
      key,
    });
    this.open.push(id);
    const until = performance.now() + this.options.conversationSeconds * 1_000;
    while (!this.isStopped && performance.now() < until) await pause(200);
    this.open.splice(this.open.indexOf(id), 1);
    await pause(1_000); // requests that were on their way to it
    const { status } = await this.client.call('DELETE', `/api/v1/app-conversations/${id}`);
    if (status !== 200) this.note(`DELETE: ${status}`);
    await stream.closed();
    this.streamedEvents += stream.of('message').length;
    this.ended += 1;
  }

  private async request(): Promise<void> {
    const began = performance.now();
    const { perSecond, orgId } = this.options;
    for (let n = 0; !this.isStopped; n++) {
      await pause(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
      const id = this.open[Math.floor(Math.random() * this.open.length)];
      const made = MIX[n % MIX.length]?.(id ?? '', orgId);
      if (id !== undefined && made !== undefined) void this.perform(made);
    }
  }

  private async perform([method, path, body]: Made): Promise<void> {
    const { service, key } = this.installation;
    const began = performance.now();
    this.requests += 1;
    try {
      const response = await fetch(service.url + path, {
        method,
        headers: { 'X-Access-Token': key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (!response.ok) this.note(`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}: ${response.status}`);
    } catch (error) {
      this.note(`${method}: ${String(error)}`);
    }
    this.durations.push(performance.now() - began);
  }

  private note(failure: string): void {
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
  }
}
