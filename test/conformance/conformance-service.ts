import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../src/api-keys/keys/key-format';
import type { SandboxRecord } from '../support/agent-server/sandboxes';
import { ask } from '../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';
import { eventually } from '../support/eventually';
import { ConversationClient } from '../support/service/conversation-client';
import { freePort } from '../support/service/free-port';
import type { HttpResponse } from '../support/service/http';
import { ServiceProcess } from '../support/service/service-process';
import type { DriverFixture, Env } from './driver-under-test';

const KEY = newKey();
const SECRET_KEY = 'a-secret-key-of-tests-0123456789';
const PATIENCE_MS = 90_000;

/** What a command in a sandbox came to. */
export interface CommandResult {
  readonly exit_code: number;
  /** Null where it wrote nothing. */
  readonly stdout: string | null;
}

/** A service in a process of its own, which may be killed, on a database and a folder that stay. */
export class ConformanceService {
  /** Of its owner. */
  readonly key = KEY;

  private constructor(
    private readonly fixture: DriverFixture,
    private readonly database: TestDatabase,
    private readonly folder: string,
    readonly port: number,
    private running: ServiceProcess,
    readonly client: ConversationClient,
    private readonly isReplica: boolean,
  ) {}

  static async start(fixture: DriverFixture): Promise<ConformanceService> {
    const database = await createTestDatabase();
    // All databases of tests are copies of one.
    await ask(database.url, 'UPDATE sandbox_installation SET id = gen_random_uuid()');
    return ConformanceService.startOn(database, fixture, false);
  }

  /** Another one over the same database, with a folder of its own; it is stopped before this one. */
  replica(fixture = this.fixture): Promise<ConformanceService> {
    return ConformanceService.startOn(this.database, fixture, true);
  }

  private static async startOn(
    database: TestDatabase,
    fixture: DriverFixture,
    isReplica: boolean,
  ): Promise<ConformanceService> {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    // Sandboxes may have users of their own.
    await chmod(folder, 0o755);
    const port = await freePort();
    const url = `http://${fixture.host}:${port}`;
    const client = new ConversationClient({ url }, KEY, PATIENCE_MS);
    const env = settings(fixture, { database, folder, port });
    const running = await started(env);
    return new ConformanceService(fixture, database, folder, port, running, client, isReplica);
  }

  /** What it said since its last start. */
  get errors(): string {
    return this.running.output + this.running.errors;
  }

  /** Starts it anew, also after {@link kill}. @param env settings that differ from now on, until the next restart */
  async restart(env: Env = {}): Promise<void> {
    await this.running.stop();
    const { database, folder, port } = this;
    this.running = await started({ ...settings(this.fixture, { database, folder, port }), ...env });
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.running.stop('SIGKILL');
  }

  /** Deletes all sandboxes, and ends the service; of a replica it only ends the process. */
  async stop(): Promise<void> {
    if (this.isReplica) {
      await this.running.stop();
      await rm(this.folder, { recursive: true, force: true });
      return;
    }
    try {
      const { body } = await this.call<{ items: SandboxRecord[] }>('GET', 'sandboxes/search');
      const left = body.items.filter(({ status }) => status !== 'MISSING').map(({ id }) => id);
      await this.deleteAll(left);
    } finally {
      await this.running.stop();
      await this.database.drop();
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  call<Body>(method: string, path: string, body?: unknown): Promise<HttpResponse<Body>> {
    return this.client.call<Body>(method, `/api/v1/${path}`, body === undefined ? {} : { body });
  }

  async create(): Promise<SandboxRecord> {
    const { status, body } = await this.call<SandboxRecord>('POST', 'sandboxes');
    if (status !== 200) throw new Error(`POST /api/v1/sandboxes answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async createRunning(): Promise<SandboxRecord> {
    return this.until((await this.create()).id, 'RUNNING');
  }

  /** Waits until a sandbox has a status. */
  until(id: string, status: string): Promise<SandboxRecord> {
    return eventually(async () => {
      const [record] = (await this.call<(SandboxRecord | null)[]>('GET', `sandboxes?id=${id}`)).body;
      if (record?.status !== status) {
        const logs = await this.call('GET', `sandboxes/${id}/logs?limit=10`);
        throw new Error(
          `Sandbox ${id} is ${record?.status} (${record?.status_detail ?? ''}), not ${status}: ${JSON.stringify(logs.body)}`,
        );
      }
      return record;
    }, PATIENCE_MS);
  }

  /** Asks for a sandbox to be paused, resumed or deleted. */
  async ask(id: string, what: 'pause' | 'resume' | 'delete'): Promise<void> {
    const [method, path] = what === 'delete' ? ['DELETE', ''] : ['POST', `/${what}`];
    const { status, body } = await this.call(method, `sandboxes/${id}${path}`);
    if (status !== 200) throw new Error(`${what} answered ${status} ${JSON.stringify(body)}`);
  }

  /** Pauses a sandbox, and waits until it has come to rest. */
  async pause(id: string): Promise<void> {
    await this.ask(id, 'pause');
    await this.rests(id);
  }

  /** Waits until a sandbox is paused, and nothing is done to it any more. */
  async rests(id: string): Promise<void> {
    await eventually(async () => {
      const rows = await ask(this.database.url, `SELECT status, stopping FROM sandboxes WHERE id = '${id}'`);
      expect(rows).toEqual([{ status: 'PAUSED', stopping: null }]);
    }, PATIENCE_MS);
  }

  async resume(id: string): Promise<void> {
    await this.ask(id, 'resume');
    await this.until(id, 'RUNNING');
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.ask(id, 'delete');
    for (const id of ids) await this.until(id, 'MISSING');
    for (const id of ids) await this.isGone(id);
  }

  /** Removes the record of a sandbox. @param whole also the note that its host has to clean up */
  async forget(id: string, whole: boolean): Promise<void> {
    const note = whole ? `DELETE FROM sandbox_leftovers WHERE sandbox_id = '${id}';` : '';
    await ask(this.database.url, `DELETE FROM sandboxes WHERE id = '${id}'; ${note}`);
  }

  /** Waits until nothing is left of a sandbox. */
  async isGone(id: string): Promise<void> {
    await eventually(async () => expect(await this.fixture.remains(id)).toEqual([]), PATIENCE_MS);
  }

  /** Runs a command in a sandbox, as its agent would. */
  async run(id: string, command: string): Promise<CommandResult> {
    const path = `sandboxes/${id}/agent-server/api/bash/execute_bash_command`;
    const { status, body } = await this.call<CommandResult>('POST', path, { command, timeout: 60 });
    if (status !== 200) throw new Error(`${command} answered ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

function settings(
  { env, host }: DriverFixture,
  at: { readonly database: TestDatabase; readonly folder: string; readonly port: number },
): Env {
  return {
    DATABASE_URL: at.database.url,
    DATA_DIR: at.folder,
    SECRET_KEY,
    BOOTSTRAP_KEY: KEY,
    PORT: `${at.port}`,
    HOST: host,
    JOB_LEASE_SECONDS: '2',
    MAX_SANDBOXES_PER_ORG: '100',
    LOG_LEVEL: 'info',
    ...env,
  };
}

async function started(env: Env): Promise<ServiceProcess> {
  const service = ServiceProcess.start(env);
  await service.ready;
  return service;
}
