import { setTimeout as pause } from 'node:timers/promises';
import { ConversationClient } from '../../test/support/service/conversation-client';
import { StreamReader } from '../../test/support/streams/stream-reader';
import type { Installation } from './installation';

/** How conversations come and go. */
export interface ConversationsOptions {
  /** How many are open at a time. */
  readonly atATime: number;
  /** How long one lasts. */
  readonly seconds: number;
  /** Told the ids of those that take requests, when they change. */
  readonly onChange: (open: readonly string[]) => void;
}

/** Conversations that start one after the other, are streamed from the first event to the last, and end. */
export class Conversations {
  /** What went wrong, and how often. */
  readonly failures = new Map<string, number>();
  started = 0;
  ended = 0;
  streamedEvents = 0;
  private readonly open: string[] = [];
  private readonly running: Promise<void>[] = [];
  private isStopped = false;
  private readonly client: ConversationClient;

  constructor(
    private readonly installation: Installation,
    private readonly options: ConversationsOptions,
  ) {
    this.client = new ConversationClient(installation.service, installation.key);
    const { atATime } = options;
    for (let n = 0; n < atATime; n++) this.running.push(this.keepOne(n / atATime));
  }

  /** Ends all, and starts no more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** @param share of a lifetime after which the first conversation starts, so that they do not all start at once */
  private async keepOne(share: number): Promise<void> {
    await pause(share * this.options.seconds * 1_000);
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
    this.options.onChange(this.open);
    const until = performance.now() + this.options.seconds * 1_000;
    while (!this.isStopped && performance.now() < until) await pause(200);
    this.open.splice(this.open.indexOf(id), 1);
    this.options.onChange(this.open);
    await pause(1_000); // requests that were on their way to it
    const { status } = await this.client.call('DELETE', `/api/v1/app-conversations/${id}`);
    if (status !== 200) this.note(`DELETE: ${status}`);
    await stream.closed();
    this.streamedEvents += stream.of('message').length;
    this.ended += 1;
  }

  private note(failure: string): void {
    this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
  }
}
