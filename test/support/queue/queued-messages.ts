import type {
  MessageMode,
  MessageState,
} from '../../../src/conversations/pending-messages/record/message.enums';
import { sendTo } from '../agent-server/agent-server-calls';
import { DoubledService } from '../agent-server/doubled-service';
import { eventually } from '../eventually';
import type { TestCaller } from '../service/factories';
import { runNow } from '../service/recurring-jobs';
import type { CallOptions, ErrorBody, HttpResponse } from '../service/http';
import type { TestDatabase } from '../database/postgres';

/** A queued message as the API returns it. */
export interface QueuedMessage {
  readonly id: string;
  readonly state: MessageState;
  readonly mode: MessageMode;
  readonly position: number | null;
  readonly role: string;
  readonly content: readonly { readonly text?: string }[];
  readonly created_at: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly delivered_at: string | null;
}

/** The response to queueing a message. */
export interface Receipt {
  readonly id: string;
  readonly queued: boolean;
  readonly position: number;
}

/** A body that queues a text. */
export const saying = (text: string): { content: { type: string; text: string }[] } => ({
  content: [{ type: 'text', text }],
});

/** Calls the queue API of a complete service whose agent server fails on demand. */
export class QueueCalls {
  private constructor(readonly doubled: DoubledService) {}

  static async start(
    env: Readonly<Record<string, string>> = {},
    database?: TestDatabase,
  ): Promise<QueueCalls> {
    return new QueueCalls(await DoubledService.start(env, undefined, database && { database }));
  }

  /** Stops the service. */
  close(): Promise<void> {
    return this.doubled.close();
  }

  /** A conversation whose sandbox is paused, so that messages queued for it wait. */
  async waiting(owner?: TestCaller): Promise<{ id: string; sandboxId: string }> {
    return this.doubled.conversation({ sandbox: { status: 'PAUSED' }, ...(owner && { owner }) });
  }

  /** Resumes the sandbox of a conversation. */
  async resume({ sandboxId }: { sandboxId: string }): Promise<void> {
    const { status } = await this.doubled.service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`);
    if (status !== 200) throw new Error(`The resume was answered with ${status}.`);
  }

  /** Any call of a queue. @param rest what follows `pending-messages` in the path */
  call<Body = ErrorBody>(
    method: string,
    conversationId: string,
    rest = '',
    options: CallOptions = {},
  ): Promise<HttpResponse<Body>> {
    const path = `/api/v1/conversations/${encodeURIComponent(conversationId)}/pending-messages${rest}`;
    return this.doubled.service.call<Body>(method, path, options);
  }

  /** Queues a text. */
  post<Body = ErrorBody>(
    conversationId: string,
    text: string,
    options: CallOptions = {},
  ): Promise<HttpResponse<Body>> {
    return this.call<Body>('POST', conversationId, '', { body: saying(text), ...options });
  }

  /** Queues texts, one after the other. @returns the ids of the messages */
  async queued(conversationId: string, texts: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const text of texts) {
      const { status, body } = await this.post<Receipt>(conversationId, text);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      ids.push(body.id);
    }
    return ids;
  }

  /** The messages of a queue. @param query such as `?state=delivered` */
  async list(conversationId: string, query = '', options: CallOptions = {}): Promise<QueuedMessage[]> {
    const response = await this.call<{ items: QueuedMessage[] }>('GET', conversationId, query, options);
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return response.body.items;
  }

  /** The texts of a queue, first to be delivered first. */
  async texts(conversationId: string, query = ''): Promise<(string | undefined)[]> {
    return (await this.list(conversationId, query)).map(({ content }) => content[0]?.text);
  }

  /** Waits until the agent server has received exactly these texts. */
  arrived(conversationId: string, texts: readonly string[]): Promise<void> {
    return eventually(() => {
      const there = this.doubled.double.messages(conversationId).map(({ text }) => text);
      if (there.join('\n') !== texts.join('\n')) throw new Error(`What arrived: ${there.join(', ')}`);
    });
  }

  /** A message in delivery, which the agent server does not take until the double is healed. */
  async delivering(): Promise<{ id: string; messageId: string }> {
    const { id } = await this.doubled.conversation();
    this.doubled.double.fail({ kind: 'hang', stored: false }, sendTo(id), Infinity);
    const [messageId = ''] = await this.queued(id, ['on its way']);
    await eventually(async () => {
      const [first] = await this.list(id);
      if (first?.state !== 'delivering') throw new Error(`The message is ${first?.state}.`);
    });
    return { id, messageId };
  }

  /** Has the recurring clean-up of queues run now, and waits for its end. */
  cleanUp(): Promise<void> {
    return runNow(this.doubled.service.app.db, 'queue-clean-up');
  }
}
