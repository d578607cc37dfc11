import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startTestApp, type TestApp, type TestAppOptions } from './app';
import { eventually } from '../eventually';
import { makeCaller, makeOrg, type TestCaller } from './factories';
import { freePort } from './free-port';
import { type Answer, call, type CallOptions } from './http';
import type { TestDatabase } from '../database/postgres';

const PATIENCE_MS = 60_000;
const noteSchema = z.object({ pid: z.number().int() });

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
  readonly metrics: Record<string, number>;
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
  readonly llm_message?: { readonly content: readonly { readonly text?: string }[] };
}

/** A complete service with the embedded agent server, and an owner who calls it. */
export class ConversationService {
  private constructor(
    readonly app: TestApp,
    readonly owner: TestCaller,
    private readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @param env settings that differ from the defaults
   * @param timeoutMs how long any wait may take
   * @param database one that the caller creates and drops
   * @param extensions modules from outside
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    timeoutMs = PATIENCE_MS,
    database?: TestDatabase,
    extensions?: TestAppOptions['extensions'],
  ): Promise<ConversationService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'conversations-'));
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(dataDir, 0o755);
    const port = await freePort();
    const app = await startTestApp({
      port,
      env: { DATA_DIR: dataDir, CALLBACK_URL: `http://127.0.0.1:${port}`, JOB_LEASE_SECONDS: '2', ...env },
      ...(database && { database }),
      ...(extensions && { extensions }),
    });
    const org = await makeOrg(app.db);
    return new ConversationService(app, await makeCaller(app.db, org.id, 'owner'), dataDir, env, timeoutMs);
  }

  async close(): Promise<void> {
    const running = await this.app.db.query<{ id: string }[]>(
      `SELECT id FROM sandboxes WHERE status <> 'MISSING'`,
    );
    for (const { id } of running) await this.call('DELETE', `/api/v1/sandboxes/${id}`);
    await eventually(async () => {
      const left = await this.app.db.query<unknown[]>(`SELECT 1 FROM sandboxes WHERE status <> 'MISSING'`);
      if (left.length > 0) throw new Error('A sandbox still exists.');
    }, this.timeoutMs).catch(() => undefined);
    await this.app.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  call<Body = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
    return call<Body>(this.app, method, path, { key: this.owner.key, ...options });
  }

  /** Starts a conversation. @returns the start task of the response */
  async begin(request: Record<string, unknown> = {}, options: CallOptions = {}): Promise<StartTask> {
    const answer = await this.call<StartTask>('POST', '/api/v1/app-conversations', {
      body: request,
      ...options,
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
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

  /** Kills the agent server of a sandbox, by the pid the host recorded. */
  async killAgentServer(sandboxId: string): Promise<void> {
    const driver = this.env.SANDBOX_DRIVER ?? 'embedded';
    const note = await readFile(join(this.dataDir, 'sandboxes', driver, `${sandboxId}.json`), 'utf8');
    process.kill(noteSchema.parse(JSON.parse(note)).pid, 'SIGKILL');
  }
}
