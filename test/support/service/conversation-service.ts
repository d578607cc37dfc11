import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SandboxLifecycle } from '../../../src/sandboxes/sandboxes';
import { startTestApp, type TestApp, type TestAppOptions } from './app';
import { ConversationClient } from './conversation-client';
import { eventually } from '../eventually';
import { makeCaller, makeOrg, type TestCaller } from './factories';
import { freePort } from './free-port';

export type { ConversationRecord, EventRecord, StartTask } from './conversation-client';

const noteSchema = z.object({ pid: z.number().int() });

/** A complete service with the embedded agent server, and an owner who calls it. */
export class ConversationService extends ConversationClient {
  private constructor(
    readonly app: TestApp,
    readonly owner: TestCaller,
    readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
    timeoutMs?: number,
  ) {
    super(app, owner.key, timeoutMs);
  }

  /**
   * @param env settings that differ from the defaults; a free PORT is chosen without one
   * @param timeoutMs how long any wait may take
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    timeoutMs?: number,
    options: Omit<TestAppOptions, 'env' | 'port'> = {},
  ): Promise<ConversationService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'conversations-'));
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(dataDir, 0o755);
    const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
    const app = await startTestApp({
      ...options,
      port,
      env: {
        PORT: `${port}`,
        CALLBACK_URL: `http://${env.HOST ?? '127.0.0.1'}:${port}`,
        DATA_DIR: dataDir,
        ...env,
      },
    });
    const org = await makeOrg(app.db);
    return new ConversationService(app, await makeCaller(app.db, org.id, 'owner'), dataDir, env, timeoutMs);
  }

  /** Deletes all sandboxes, whoever made them, and stops the service. */
  async close(): Promise<void> {
    const { app, db } = this.app;
    const running = await db.query<{ id: string }[]>(`SELECT id FROM sandboxes WHERE status <> 'MISSING'`);
    const lifecycle = app.get(SandboxLifecycle);
    await db.transaction(async (tx) => {
      for (const { id } of running) await lifecycle.delete(tx, id);
    });
    await eventually(async () => {
      const left = await this.app.db.query<unknown[]>(`SELECT 1 FROM sandboxes WHERE status <> 'MISSING'`);
      if (left.length > 0) throw new Error('A sandbox still exists.');
    }, this.timeoutMs).catch(() => undefined);
    await this.app.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Kills the agent server of a sandbox, by the pid the host recorded. */
  async killAgentServer(sandboxId: string): Promise<void> {
    const driver = this.env.SANDBOX_DRIVER ?? 'embedded';
    const note = await readFile(join(this.dataDir, 'sandboxes', driver, `${sandboxId}.json`), 'utf8');
    process.kill(noteSchema.parse(JSON.parse(note)).pid, 'SIGKILL');
  }
}
