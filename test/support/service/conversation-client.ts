import { eventually } from '../eventually';
import { type HttpResponse, call, type CallOptions } from './http';

const PATIENCE_MS = 60_000;

/** A start task as the API returns it. */
export interface StartTask {
  readonly id: string;
  readonly status: string;
  readonly detail: string | null;
  readonly app_conversation_id: string | null;
  readonly sandbox_id: string;
  readonly request: Record<string, unknown>;
}

/** The fields of a conversation record that tests use. */
export interface ConversationRecord {
  readonly id: string;
  readonly title: string | null;
  readonly sandbox_id: string;
  readonly sandbox_status: string;
  readonly execution_status: string | null;
  readonly conversation_url: string | null;
  readonly session_api_key: string | null;
  readonly selected_branch: string | null;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly parent_conversation_id: string | null;
  readonly sub_conversation_ids: string[];
  readonly tags: Record<string, unknown>;
  readonly pr_number: number[];
}

/** The fields of an event that tests use. */
export interface EventRecord {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly llm_message?: { readonly content: readonly { readonly text?: string }[] };
}

/** Calls a service for one person, and waits for what happens to their conversations. */
export class ConversationClient {
  /**
   * @param key of the person
   * @param timeoutMs how long any wait may take
   */
  constructor(
    private readonly server: { readonly url: string },
    private readonly key: string,
    protected readonly timeoutMs = PATIENCE_MS,
  ) {}

  call<Body = unknown>(method: string, path: string, options: CallOptions = {}): Promise<HttpResponse<Body>> {
    return call<Body>(this.server, method, path, { key: this.key, ...options });
  }

  /** Starts a conversation. @returns the start task of the response */
  async begin(request: Record<string, unknown> = {}, options: CallOptions = {}): Promise<StartTask> {
    const response = await this.call<StartTask>('POST', '/api/v1/app-conversations', {
      body: request,
      ...options,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** Waits until a task is READY or ERROR. */
  ended(taskId: string): Promise<StartTask> {
    return eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${taskId}`;
      const [task] = (await this.call<StartTask[]>('GET', path)).body;
      if (task?.status !== 'READY' && task?.status !== 'ERROR')
        throw new Error(`The task is ${task?.status}.`);
      return task;
    }, this.timeoutMs);
  }

  /** Starts a conversation and waits until it is READY. @returns its id */
  async ready(request: Record<string, unknown> = {}): Promise<string> {
    const task = await this.ended((await this.begin(request)).id);
    if (task.app_conversation_id === null) throw new Error(`The start failed: ${task.detail}`);
    return task.app_conversation_id;
  }

  async record(id: string): Promise<ConversationRecord> {
    return (await this.call<ConversationRecord>('GET', `/api/v1/app-conversations/${id}`)).body;
  }

  async events(id: string): Promise<EventRecord[]> {
    const path = `/api/v1/conversation/${id}/events/search`;
    return (await this.call<{ items: EventRecord[] }>('GET', path)).body.items;
  }

  /** The texts of one side's messages, in order; waits until there are enough. */
  texts(id: string, source: 'user' | 'agent', atLeast: number): Promise<string[]> {
    return eventually(async () => {
      const texts = (await this.events(id))
        .filter((event) => event.kind === 'MessageEvent' && event.source === source)
        .map((event) => event.llm_message?.content.map(({ text }) => text).join('') ?? '');
      if (texts.length < atLeast) throw new Error(`Only ${texts.length} messages: ${texts.join(' | ')}`);
      return texts;
    }, this.timeoutMs);
  }
}
