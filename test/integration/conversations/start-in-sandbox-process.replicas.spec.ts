import { appendFile, chmod, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { ConversationService, type StartTask } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';
import { ask } from '../../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { endAtOnce, processesIn, type SeenProcess } from '../../support/processes-in';
import { ServiceProcess } from '../../support/service/service-process';

const PATIENCE_MS = 45_000;

/** A folder with the program of an agent server that users of sandboxes can run. */
const PLAIN = join(__dirname, '..', '..', 'support', 'agent-server', 'plain-agent-server.cjs');

async function folderWithProgram(): Promise<{ folder: string; command: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'start-sandboxes-'));
  await chmod(folder, 0o755);
  await unmute(folder);
  await chmod(programIn(folder), 0o644);
  return { folder, command: `${process.execPath} ${programIn(folder)}` };
}

function programIn(folder: string): string {
  return join(folder, 'agent-server.cjs');
}

/** Has agent servers answer no health check. */
function mute(folder: string): Promise<void> {
  return appendFile(programIn(folder), '// mute\n');
}

/** Has agent servers do something else first. */
async function prepend(folder: string, script: string): Promise<void> {
  const program = await readFile(programIn(folder), 'utf8');
  await writeFile(programIn(folder), script + program);
}

function unmute(folder: string): Promise<void> {
  return copyFile(PLAIN, programIn(folder));
}

/** Without what runs them in namespaces of their own. */
async function agentServersIn(folder: string): Promise<SeenProcess[]> {
  const all = await processesIn(folder);
  return all.filter(({ commandLine }) => commandLine.startsWith(`${process.execPath} `));
}

describe('a start in a sandbox process whose service is killed', () => {
  const key = newKey();
  let folder: string;
  let command: string;
  let database: TestDatabase;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    ({ folder, command } = await folderWithProgram());
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await service.discard();
    for (const { pid } of await processesIn(sandboxes())) endAtOnce(pid);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function launch(role: 'all' | 'api'): Promise<void> {
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'process',
      SANDBOX_ISOLATION: 'none',
      AGENT_SERVER_COMMAND: command,
      LLM_MODEL: 'echo',
      JOB_LEASE_SECONDS: '2',
      APP_ROLE: role,
    });
    url = await service.ready;
  }

  function sandboxes(): string {
    return join(folder, 'sandboxes', 'process');
  }

  async function begin(): Promise<string> {
    const response = await call<StartTask>({ url }, 'POST', '/api/v1/app-conversations', { key, body: {} });
    expect(response.status).toBe(200);
    return response.body.id;
  }

  async function tasks(ids: readonly string[]): Promise<StartTask[]> {
    const path = `/api/v1/app-conversations/start-tasks?ids=${ids.join(',')}`;
    return (await call<StartTask[]>({ url }, 'GET', path, { key })).body;
  }

  function untilAll(ids: readonly string[], statuses: readonly string[]): Promise<StartTask[]> {
    return eventually(async () => {
      const now = await tasks(ids);
      expect(now.map(({ status, detail }) => ({ status, detail }))).toEqual(
        statuses.map((status) => ({ status, detail: null })),
      );
      return now;
    }, PATIENCE_MS);
  }

  it('goes on from WORKING and WAITING_FOR_SANDBOX, to one conversation in one sandbox', async () => {
    await launch('all');
    await mute(folder);
    const waiting = await begin();
    await untilAll([waiting], ['WAITING_FOR_SANDBOX']);
    await eventually(async () => expect(await agentServersIn(sandboxes())).toHaveLength(1));
    await service.stop('SIGKILL');

    // Without a worker a start stays where its acceptance left it.
    await launch('api');
    // As if its host was there until now, however long this one took to start.
    await ask(database.url, 'UPDATE sandbox_hosts SET seen_at = now()');
    const working = await begin();
    await untilAll([waiting, working], ['WAITING_FOR_SANDBOX', 'WORKING']);
    await service.stop('SIGKILL');

    await unmute(folder);
    await launch('all');
    const ended = await untilAll([waiting, working], ['READY', 'READY']);
    for (const { sandbox_id, app_conversation_id } of ended) {
      const started = await readFile(join(sandboxes(), sandbox_id, 'started'), 'utf8');
      // A call whose response was lost, or whose lease has lapsed, is repeated for the same id.
      expect(new Set(started.trim().split('\n'))).toEqual(new Set([app_conversation_id]));
    }
    const homes = (await readdir(sandboxes(), { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    expect(homes.map(({ name }) => name).sort()).toEqual(ended.map(({ sandbox_id }) => sandbox_id).sort());
    await eventually(async () => expect(await agentServersIn(sandboxes())).toHaveLength(2));
    const { body } = await call<{ items: { id: string }[] }>(
      { url },
      'GET',
      '/api/v1/app-conversations/search',
      { key },
    );
    expect(body.items.map(({ id }) => id).sort()).toEqual(
      ended.map(({ app_conversation_id }) => app_conversation_id).sort(),
    );
  });
});

describe('a conversation whose sandbox process', () => {
  let folder: string;
  let env: Readonly<Record<string, string>>;
  let service: ConversationService;

  beforeAll(async () => {
    const { command, ...made } = await folderWithProgram();
    ({ folder } = made);
    env = {
      SANDBOX_DRIVER: 'process',
      SANDBOX_ISOLATION: 'none',
      AGENT_SERVER_COMMAND: command,
      LLM_MODEL: 'echo',
    };
    service = await ConversationService.start(env);
  });

  afterEach(() => unmute(folder));

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function expectFailed(task: StartTask, detail: string, of = service): Promise<void> {
    expect(await of.ended(task.id)).toMatchObject({
      status: 'ERROR',
      detail: expect.stringContaining(detail) as string,
      app_conversation_id: null,
    });
    // Its sandbox is given back.
    await eventually(async () => {
      const { body } = await of.call<{ items: { sandbox_status: string; sandbox_id: string }[] }>(
        'GET',
        `/api/v1/app-conversations/search?sandbox_id__eq=${task.sandbox_id}`,
      );
      expect(body.items).toMatchObject([{ sandbox_status: 'MISSING' }]);
    });
  }

  it('is killed while it starts ends its start in ERROR, and shows it', async () => {
    await mute(folder);
    const task = await service.begin();
    await eventually(() => service.killAgentServer(task.sandbox_id));
    await expectFailed(task, 'The sandbox failed: The agent server ended while it started.');
  });

  it('ends by itself while it starts ends its start in ERROR with what it said last', async () => {
    await prepend(folder, `console.error('one\\n\\x1b[31mNo module named two\\x1b[0m'); process.exit(3);\n`);
    const task = await service.begin();
    await expectFailed(
      task,
      "The sandbox failed: The agent server ended while it started.\nThe agent server's last lines: one\nNo module named two",
    );
    expect((await service.ended(task.id)).detail).toMatch(/last lines(?!.*last lines)/s);
  });

  it('never answers ends its start in ERROR after SANDBOX_START_SECONDS, and shows it', async () => {
    await mute(folder);
    const impatient = await ConversationService.start({ ...env, SANDBOX_START_SECONDS: '4' });
    try {
      const began = performance.now();
      const task = await impatient.begin();
      const detail = 'The sandbox failed: The agent server did not answer within 4 seconds.';
      await expectFailed(task, detail, impatient);
      expect(performance.now() - began).toBeGreaterThan(4_000);
    } finally {
      await impatient.close();
    }
  });

  it('is killed while it runs shows it within 10 s, to its creator and in the organization', async () => {
    const id = await service.ready();
    const { sandbox_id } = await service.record(id);
    await service.killAgentServer(sandbox_id);
    const list = `/api/organizations/${service.owner.orgId}/conversations/${id}`;
    await eventually(async () => {
      expect(await service.record(id)).toMatchObject({ sandbox_status: 'ERROR', conversation_url: null });
      expect((await service.call('GET', list)).body).toMatchObject({ sandbox_status: 'ERROR' });
    });
  });
});
