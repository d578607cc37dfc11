import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxStore } from '../../../src/sandboxes/sandboxes/record/sandbox-store';
import { startTestApp, type TestApp, type TestAppOptions } from '../service/app';
import { eventually } from '../eventually';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { recurFaster } from '../service/recurring-jobs';
import { type HttpResponse, call } from '../service/http';
import { createTestDatabase, type TestDatabase } from '../database/postgres';

/** A sandbox as the service answers it. */
export interface SandboxRecord {
  readonly id: string;
  readonly created_by_user_id: string;
  readonly sandbox_spec_id: string;
  readonly status: string;
  readonly session_api_key: string | null;
  readonly exposed_urls: readonly { name: string; url: string; port: number }[] | null;
  readonly created_at: string;
  readonly status_detail: string | null;
}

/** Time for a process to start and for the service to notice it. */
const PATIENCE_MS = 60_000;

/** A service whose sandboxes are processes of a plain agent server, with a data folder of its own. */
export class SandboxService {
  private constructor(
    readonly database: TestDatabase,
    readonly dataDir: string,
    readonly env: Readonly<Record<string, string>>,
    private running: TestApp,
    readonly caller: TestCaller,
  ) {}

  /** @param env settings that differ from the defaults; the driver is `process` unless given */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<SandboxService> {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'sandboxes-'));
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(dataDir, 0o755);
    const program = join(dataDir, 'agent-server.cjs');
    await cp(join(__dirname, 'plain-agent-server.cjs'), program);
    await chmod(program, 0o644);
    const settings = {
      SANDBOX_DRIVER: 'process',
      // For tests that do not run as root.
      SANDBOX_ISOLATION: 'none',
      AGENT_SERVER_COMMAND: `${process.execPath} ${program}`,
      DATA_DIR: dataDir,
      JOB_LEASE_SECONDS: '2',
      ...env,
    };
    const app = await startLooking({ env: settings, database });
    const org = await makeOrg(app.db);
    return new SandboxService(database, dataDir, settings, app, await makeCaller(app.db, org.id));
  }

  get app(): TestApp {
    return this.running;
  }

  /** Restarts the service on the same data; `env` changes settings. */
  async restart(env: Readonly<Record<string, string>> = {}, between?: () => Promise<void>): Promise<void> {
    await this.running.close();
    await between?.();
    const options: TestAppOptions = { env: { ...this.env, ...env }, database: this.database };
    this.running = await startLooking(options);
  }

  /** Deletes all sandboxes and stops the service. */
  async stop(): Promise<void> {
    const [left] = await this.app.db.query<[{ id: string }[], number]>(
      `UPDATE sandboxes SET status = 'PAUSED', stopping = 'delete', deadline_at = NULL
       WHERE status <> 'MISSING' RETURNING id`,
    );
    const ids = left.map(({ id }) => id);
    // At once, rather than when the health monitor looks the next time.
    await Promise.all(ids.map((id) => this.app.app.get(SandboxStore).reconcile(id)));
    try {
      await eventually(async () => {
        const rows = await this.app.db.query<{ status: string }[]>(
          'SELECT status FROM sandboxes WHERE id = ANY ($1)',
          [ids],
        );
        if (rows.some(({ status }) => status !== 'MISSING')) throw new Error('Some sandboxes still exist.');
      }, PATIENCE_MS);
    } finally {
      await this.running.close();
      await this.database.drop();
      await rm(this.dataDir, { recursive: true, force: true });
    }
  }

  call<Body = unknown>(
    method: string,
    path: string,
    caller: TestCaller = this.caller,
  ): Promise<HttpResponse<Body>> {
    return call<Body>(this.running, method, path, { key: caller.key });
  }

  /** Creates a sandbox. @returns the response */
  async create(): Promise<SandboxRecord> {
    const { status, body } = await this.call<SandboxRecord>('POST', '/api/v1/sandboxes');
    if (status !== 200) throw new Error(`POST /api/v1/sandboxes answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Creates a sandbox and waits until it is RUNNING. */
  async createRunning(): Promise<SandboxRecord> {
    return this.until((await this.create()).id, 'RUNNING');
  }

  async read(id: string): Promise<SandboxRecord> {
    const { body } = await this.call<(SandboxRecord | null)[]>('GET', `/api/v1/sandboxes?id=${id}`);
    const [record] = body;
    if (!record) throw new Error(`Sandbox ${id} is unknown.`);
    return record;
  }

  /** Waits until a sandbox has settled in a status. */
  until(id: string, status: string, withinMs = PATIENCE_MS): Promise<SandboxRecord> {
    return eventually(async () => {
      const record = await this.read(id);
      if (record.status !== status || (await this.isStopping(id)))
        throw new Error(`Sandbox ${id} is ${record.status} (${record.status_detail ?? ''}), not ${status}.`);
      return record;
    }, withinMs);
  }

  /** Whether a sandbox is still being paused or deleted. */
  async isStopping(id: string): Promise<boolean> {
    const [row] = await this.app.db.query<{ stopping: string | null }[]>(
      'SELECT stopping FROM sandboxes WHERE id = $1',
      [id],
    );
    return row?.stopping !== null;
  }

  /** The folder of a sandbox. */
  home(id: string): string {
    return join(this.dataDir, 'sandboxes', String(this.env.SANDBOX_DRIVER), id);
  }

  /** The pid of a sandbox's process, as the host recorded it. */
  async pid(id: string): Promise<number> {
    const note = JSON.parse(await readFile(`${this.home(id)}.json`, 'utf8')) as { pid: number };
    return note.pid;
  }

  /** Changes how a sandbox's agent server behaves. */
  async setBehaviour(id: string, behaviour: 'mute' | 'dead' | 'busy' | 'slow'): Promise<void> {
    await writeFile(join(this.home(id), behaviour), '');
  }
}

/** A service that looks after its sandboxes often: what it finds is waited for. */
async function startLooking(options: TestAppOptions): Promise<TestApp> {
  const app = await startTestApp(options);
  recurFaster(app.app, 'sandbox-');
  return app;
}

/** Whether a process still exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
