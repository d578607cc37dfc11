import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { DriverFixture, Env } from './driver-under-test';
import { eventually } from './eventually';
import { folderOfService, ServiceProcess } from './service-process';

/** A sandbox as the API answers it. */
export interface SandboxRecord {
  readonly id: string;
  readonly sandbox_spec_id: string;
  readonly status: string;
  readonly status_detail: string | null;
  readonly session_api_key: string | null;
  readonly exposed_urls: readonly { readonly name: string; readonly url: string }[] | null;
}

/** What a command in a sandbox came to. */
export interface CommandResult {
  readonly exit_code: number;
  /** Null where it wrote nothing. */
  readonly stdout: string | null;
}

/** A service in a process of its own, which may be killed, on a folder and a port that stay; called by its first user. */
export class ServiceWithDriver {
  private constructor(
    private readonly fixture: DriverFixture,
    private readonly program: readonly string[] | undefined,
    private readonly env: Env & { readonly PORT: string },
    /** Its own, for what the fixture gives no folder. */
    private readonly folder: string,
    private running: ServiceProcess,
    /** The user's. */
    readonly key: string,
  ) {}

  /** @param program what Node.js runs; default: that of this package */
  static async start(fixture: DriverFixture, program?: readonly string[]): Promise<ServiceWithDriver> {
    const folder = await folderOfService();
    const env = {
      DATA_DIR: folder,
      PORT: String(await freePort(fixture.host)),
      HOST: fixture.host,
      JOB_LEASE_SECONDS: '2',
      MAX_SANDBOXES_PER_ORG: '100',
      LOG_LEVEL: 'info',
      ...fixture.env,
    };
    const running = await ServiceProcess.start(env, program);
    const key = fixture.env.BOOTSTRAP_KEY ?? (await readFile(join(env.DATA_DIR, 'owner.key'), 'utf8')).trim();
    return new ServiceWithDriver(fixture, program, env, folder, running, key);
  }

  get url(): string {
    return `http://${this.fixture.host}:${this.env.PORT}`;
  }

  /** What it has written since its last start. */
  get output(): string {
    return this.running.output;
  }

  /** Starts it anew, also after {@link kill}. @param env settings that differ until the next restart */
  async restart(env: Env = {}): Promise<void> {
    await this.running.stop('SIGTERM');
    this.running = await ServiceProcess.start({ ...this.env, ...env }, this.program);
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.running.stop('SIGKILL');
  }

  /** Deletes all sandboxes of the user, and ends it. */
  async close(): Promise<void> {
    try {
      const { items } = await this.call<{ items: SandboxRecord[] }>('GET', '/api/v1/sandboxes/search');
      await this.deleteAll(items.filter(({ status }) => status !== 'MISSING').map(({ id }) => id));
    } finally {
      await this.end();
    }
  }

  /** Ends it, and leaves the sandboxes as they are. */
  async end(): Promise<void> {
    await this.running.stop('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Sends a request as the user. @returns the body @throws Error unless the answer is a 200 */
  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'X-Access-Token': this.key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  /** Asks for a sandbox, and does not wait for it. */
  create(): Promise<SandboxRecord> {
    return this.call('POST', '/api/v1/sandboxes');
  }

  async createRunning(): Promise<SandboxRecord> {
    return this.until((await this.create()).id, 'RUNNING');
  }

  /** Waits until a sandbox has a status. */
  until(id: string, status: string): Promise<SandboxRecord> {
    return eventually(async () => {
      const [record] = await this.call<(SandboxRecord | null)[]>('GET', `/api/v1/sandboxes?id=${id}`);
      const found = `Sandbox ${id} is ${record?.status} (${record?.status_detail ?? ''}), not ${status}.`;
      assert.ok(record?.status === status, found);
      return record;
    });
  }

  /** Asks for a sandbox to be paused, resumed or deleted. */
  async ask(id: string, what: 'pause' | 'resume' | 'delete'): Promise<void> {
    const [method, path] = what === 'delete' ? ['DELETE', ''] : ['POST', `/${what}`];
    await this.call(method, `/api/v1/sandboxes/${id}${path}`);
  }

  /** Pauses a sandbox, and waits until it has come to rest. */
  async pause(id: string): Promise<void> {
    await this.ask(id, 'pause');
    await this.rests(id);
  }

  /** Waits until a sandbox is paused, and nothing of it runs any more. */
  async rests(id: string): Promise<void> {
    await this.until(id, 'PAUSED');
    await eventually(async () => assert.equal(await this.fixture.runs(id), false, `Sandbox ${id} runs.`));
  }

  async resume(id: string): Promise<void> {
    await this.ask(id, 'resume');
    await this.until(id, 'RUNNING');
  }

  /** Deletes sandboxes, and waits until nothing is left of them. */
  async deleteAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.ask(id, 'delete');
    for (const id of ids) await this.until(id, 'MISSING');
    for (const id of ids) await this.isGone(id);
  }

  /** Waits until nothing is left of a sandbox. */
  async isGone(id: string): Promise<void> {
    await eventually(async () => assert.deepEqual(await this.fixture.remains(id), []));
  }

  /** Runs a command in a sandbox, as its agent would. */
  run(id: string, command: string): Promise<CommandResult> {
    const path = `/api/v1/sandboxes/${id}/agent-server/api/bash/execute_bash_command`;
    return this.call('POST', path, { command, timeout: 60 });
  }

  /** The last lines that the agent server of a sandbox wrote. */
  async logs(id: string): Promise<string> {
    return (await this.call<{ lines: string[] }>('GET', `/api/v1/sandboxes/${id}/logs`)).lines.join('\n');
  }

  /** Begins a conversation, and waits for what its agent says. @returns where it is, and the agent's words */
  async converse(text: string): Promise<{ readonly sandboxId: string; readonly answer: string }> {
    const { id: taskId } = await this.call<{ id: string }>('POST', '/api/v1/app-conversations', {
      initial_message: { role: 'user', content: [{ type: 'text', text }] },
    });
    const { id, sandboxId } = await eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${taskId}`;
      const [task] = await this.call<StartTask[]>('GET', path);
      assert.ok(task?.status === 'READY', `The start of the conversation is ${JSON.stringify(task)}.`);
      return { id: task.app_conversation_id, sandboxId: task.sandbox_id };
    });
    const answer = await eventually(async () => {
      const { items } = await this.call<{ items: AgentEvent[] }>(
        'GET',
        `/api/v1/conversation/${id}/events/search`,
      );
      const said = items.find(({ kind, source }) => kind === 'MessageEvent' && source === 'agent');
      assert.ok(said?.llm_message, `The agent said nothing, in ${items.length} events.`);
      return said.llm_message.content.map((part) => part.text ?? '').join('');
    });
    return { sandboxId, answer };
  }
}

interface StartTask {
  readonly status: string;
  readonly app_conversation_id: string;
  readonly sandbox_id: string;
}

interface AgentEvent {
  readonly kind: string;
  readonly source: string;
  readonly llm_message?: { readonly content: readonly { readonly text?: string }[] };
}

function freePort(host: string): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
