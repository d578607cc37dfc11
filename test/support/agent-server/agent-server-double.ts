import { tmpdir } from 'node:os';
import type { Socket } from 'node:net';
import type { AgentServer, ServerModels } from '../../../src/sandboxes/agent-server';
import { hexOf, newId } from '../../../src/kernel/common';
import type { Conversation } from '../../../src/appliance/embedded-agent-server/conversations/conversation';
import type {
  LlmDefaults,
  WebhookSpec,
} from '../../../src/appliance/embedded-agent-server/config/embedded-config';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import { type ApiResponse, HttpError, ok } from '../../../src/appliance/embedded-agent-server/api/http-api';
import type { ContentBlock } from '../../../src/appliance/embedded-agent-server/conversations/events';
import { freePort } from '../service/free-port';
import type { ArrivedCall, CallMatcher } from './agent-server-calls';

/**
 * How a call fails. `stored` means that the call takes effect nevertheless, as when a server dies before it
 * responds.
 */
export type Fault =
  /** Never answers. */
  | { readonly kind: 'hang'; readonly stored: boolean }
  /** Resets the connection after reading the request. */
  | { readonly kind: 'reset'; readonly stored: boolean }
  /** Responds with this status instead of its own. */
  | { readonly kind: 'status'; readonly status: number; readonly stored: boolean; readonly detail?: unknown }
  /** Takes effect this much later, even if the client has disconnected meanwhile. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Takes effect this much later, unless the client has disconnected by then. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Takes effect when this resolves, even if the client has disconnected meanwhile, unless `unlessGone` is set. */
  | { readonly kind: 'held'; readonly until: Promise<void>; readonly unlessGone?: true };

type Delay = Extract<Fault, { readonly kind: 'late' | 'slow' | 'held' }>;

/** A user message that was stored. */
export interface StoredMessage {
  readonly eventId: string;
  readonly text: string;
  readonly content: readonly ContentBlock[];
}

interface PlannedFault {
  readonly fault: Fault;
  readonly isMeant: CallMatcher;
  left: number;
}

/** Options of a double. */
export interface DoubleOptions {
  readonly apiKey?: string;
  /** For example `http://127.0.0.1:3000/api/v1/webhooks`: events are posted there as they happen. */
  readonly webhookUrl?: string;
  /** Events that wait for one another, so that they are posted together. Default: each is posted by itself. */
  readonly webhookBatch?: number;
  /** Where commands run. Default: the system's temporary folder. */
  readonly folder?: string;
  /** The model that agents chat with. Default: none, they echo. */
  readonly llm?: LlmDefaults;
}

/**
 * A test double of an agent server, reached over HTTP but running in the process of the test: the embedded one
 * without a disk. It echoes, records the calls that arrive, and fails on demand.
 */
export class AgentServerDouble {
  /** All calls in the order of arrival, including those that failed. */
  readonly calls: ArrivedCall[] = [];
  /** What it knows of models. */
  models: ServerModels = { providers: [], models: [], verified: {} };

  private readonly faults: PlannedFault[] = [];
  private readonly server: EmbeddedServer;
  /** How often it was down: delayed work of earlier times is dropped, as when a server dies. */
  private falls = 0;

  private constructor(
    private readonly apiKey: string,
    private readonly webhookUrl: string | null,
    private readonly port: number,
    { folder = tmpdir(), llm = {}, webhookBatch = 1 }: Omit<DoubleOptions, 'apiKey' | 'webhookUrl'>,
  ) {
    const webhook: WebhookSpec | null = webhookUrl === null ? null : webhookTo(webhookUrl, webhookBatch);
    const config = {
      host: '127.0.0.1',
      port,
      sessionApiKeys: [apiKey],
      corsOrigins: [],
      secretKey: null,
      conversationsPath: null,
      webhooks: webhook ? [webhook] : [],
      confinedTo: null,
      llm,
    };
    this.server = new EmbeddedServer(config, folder, (request, next, connection) => {
      const { method, path, headers } = request;
      const traceparent = headers['traceparent'];
      const call = {
        method,
        path,
        body: request.body.toString('utf8'),
        traceparent: traceparent?.toString(),
      };
      this.calls.push(call);
      return this.perform(call, () => this.modelsAt(call.path) ?? next(), connection);
    });
    // A process that stands still must not end a connection in the moment in which a call goes out on it.
    this.server.http.keepAliveTimeout = 60_000;
  }

  /** Starts one on a free port of loopback. */
  static async start({
    apiKey = 'double-key',
    webhookUrl,
    ...options
  }: DoubleOptions = {}): Promise<AgentServerDouble> {
    // Nothing else takes the port while it does not listen.
    const double = new AgentServerDouble(apiKey, webhookUrl ?? null, await freePort(), options);
    await double.server.listen();
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get target(): AgentServer {
    return { baseUrl: this.url, apiKey: this.apiKey };
  }

  /** Creates a conversation without a call. @returns its id */
  addConversation(id: string = newId()): string {
    const agent = { llm: { model: 'echo' }, tools: [] };
    const workspace = { working_dir: tmpdir() };
    this.server.conversations.start({ conversation_id: id, agent, workspace });
    return id;
  }

  /** The user messages of a conversation, in the order they were stored. */
  messages(conversationId: string): StoredMessage[] {
    return this.conversation(conversationId)
      .log.all()
      .filter(({ kind, source }) => kind === 'MessageEvent' && source === 'user')
      .map((event) => {
        const { content } = event['llm_message'] as { content: ContentBlock[] };
        const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
        return { eventId: event.id, text, content };
      });
  }

  /** The double's own conversation, with its log and status. */
  conversation(id: string): Conversation {
    const conversation = this.server.conversations.get(id);
    if (!conversation) throw new Error(`The double has no conversation ${id}.`);
    return conversation;
  }

  /** The calls that are meant, in the order of arrival, including those that failed. */
  arrived(isMeant: CallMatcher): ArrivedCall[] {
    return this.calls.filter(isMeant);
  }

  /**
   * Makes the next calls that are meant fail. Work of earlier tests is retried at any time: a fault that is meant
   * for a call of one conversation names it, lest another call use it up. Faults apply in order.
   */
  fail(fault: Fault, isMeant: CallMatcher, times = 1): void {
    this.faults.push({ fault, isMeant, left: times });
  }

  /** Discards the planned faults that have not happened yet. */
  heal(): void {
    this.faults.length = 0;
  }

  /** Stops listening: new connections are refused, open ones are closed. */
  async refuse(): Promise<void> {
    this.falls++;
    const closed = new Promise((resolve) => this.server.http.close(resolve));
    this.server.http.closeAllConnections();
    await closed;
  }

  /** Listens again, on the same port. */
  async accept(): Promise<void> {
    await new Promise<void>((resolve) => this.server.http.listen(this.port, '127.0.0.1', resolve));
  }

  /** Posts events of a conversation to the webhook, unchanged. @returns the status of the response */
  async postEvents(conversationId: string, events: readonly unknown[]): Promise<number> {
    return this.post(`/events/${hexOf(conversationId)}`, events);
  }

  /** Posts the info of a conversation to the webhook, unchanged. @returns the status of the response */
  async postInfo(info: unknown): Promise<number> {
    return this.post('/conversations', info);
  }

  /** Stops it. */
  async stop(): Promise<void> {
    await this.server.close();
  }

  private modelsAt(path: string): Promise<ApiResponse> | null {
    const { providers, models, verified } = this.models;
    const answers = new Map<string, unknown>([
      ['/api/llm/providers', { providers }],
      ['/api/llm/models', { models }],
      ['/api/llm/models/verified', { models: verified }],
    ]);
    return answers.has(path) ? Promise.resolve(ok(answers.get(path))) : null;
  }

  private async post(path: string, body: unknown): Promise<number> {
    if (this.webhookUrl === null) throw new Error('The double was started without a webhook.');
    const response = await fetch(this.webhookUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-api-key': this.apiKey },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return response.status;
  }

  private async perform(
    call: ArrivedCall,
    next: () => Promise<ApiResponse>,
    connection: Socket,
  ): Promise<ApiResponse> {
    const planned = this.faults.find(({ left, isMeant }) => left > 0 && isMeant(call));
    if (!planned) return next();
    planned.left--;
    const { fault } = planned;
    if (fault.kind === 'late' || fault.kind === 'slow' || fault.kind === 'held') {
      const isGone = await this.isGoneAfter(fault, connection);
      return isGone ? new Promise(() => undefined) : next();
    }
    if (fault.stored) await next();
    // The connection is reset after this one, as the real agent server does.
    if (fault.kind === 'status' && fault.status === 500) throw new Error('planned fault');
    if (fault.kind === 'status') throw new HttpError(fault.status, fault.detail ?? 'planned fault');
    if (fault.kind === 'reset') connection.resetAndDestroy();
    return new Promise(() => undefined);
  }

  /** Waits as long as a fault says. @returns whether the call takes no effect, since somebody has gone meanwhile */
  private async isGoneAfter(fault: Delay, connection: Socket): Promise<boolean> {
    if (fault.kind === 'held') {
      await fault.until;
      return fault.unlessGone === true && connection.destroyed;
    }
    const { falls } = this;
    await new Promise((resolve) => setTimeout(resolve, fault.ms));
    return this.falls !== falls || (fault.kind === 'slow' && connection.destroyed);
  }
}

function webhookTo(baseUrl: string, batch: number): WebhookSpec {
  return {
    base_url: baseUrl,
    headers: {},
    event_buffer_size: batch,
    flush_delay: 0.05,
    num_retries: 3,
    retry_delay: 0.05,
  };
}
