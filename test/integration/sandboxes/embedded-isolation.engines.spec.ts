import { chmod, chown, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { AgentServerClient, AgentServerRefusedError } from '../../../src/sandboxes/agent-server';
import { hexOf, newId } from '../../../src/kernel/common';
import { SandboxService, type SandboxRecord } from '../../support/agent-server/sandboxes';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { call } from '../../support/service/http';
import type { StartTask } from '../../support/service/conversation-service';
import { ServiceProcess } from '../../support/service/service-process';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
const NOBODY = 65_534;
/** Runs a program as a user without rights, where no network can be made. */
const WITHOUT_NAMESPACES = [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  '--',
  '/bin/sh',
  '-c',
  'mount -t tmpfs none /dev/net; exec "$@"',
  'sh',
  'setpriv',
  '--reuid',
  `${NOBODY}`,
  '--regid',
  `${NOBODY}`,
  '--clear-groups',
  '--',
];

const target = (sandbox: Pick<SandboxRecord, 'exposed_urls' | 'session_api_key'>) => ({
  baseUrl: sandbox.exposed_urls![0]!.url,
  apiKey: sandbox.session_api_key!,
});

asRoot('whoever has the key of an embedded sandbox of a service that runs as root', () => {
  let service: SandboxService;
  let own: SandboxRecord;
  let other: SandboxRecord;
  const client = new AgentServerClient();

  beforeAll(async () => {
    service = await SandboxService.start({
      SANDBOX_DRIVER: 'embedded',
      LLM_MODEL: 'openai/x',
      LLM_BASE_URL: 'http://127.0.0.1:9/v1',
      LLM_API_KEY: 'hidden-model-key',
    });
    await writeFile(join(service.dataDir, 'secret.key'), 'hidden', { mode: 0o600 });
    [own, other] = await Promise.all([service.createRunning(), service.createRunning()]);
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await service.stop();
  });

  async function run(command: string) {
    return client.workspace.executeBash(target(own), { command, timeoutSeconds: 20 });
  }

  it('commands a user of its own', async () => {
    const [one, two] = await Promise.all([
      run('id -u'),
      client.workspace.executeBash(target(other), { command: 'id -u', timeoutSeconds: 20 }),
    ]);
    expect(new Set(['0', one.stdout.trim(), two.stdout.trim()]).size).toBe(3);
  });

  it.each([
    ['the files of the service', () => `cat ${join(service.dataDir, 'secret.key')}`],
    ["another sandbox's folder", () => `ls ${service.home(other.id)}`],
    ["the service's environment", () => `cat /proc/${process.pid}/environ`],
    ["the service's files", () => `ls /proc/${process.pid}/cwd/`],
  ])('does not reach %s', async (_, command) => {
    const { exitCode, stderr } = await run(command());
    expect(stderr).toMatch(/Permission denied|No such file/);
    expect(exitCode).not.toBe(0);
  });

  it('does not list other sandboxes', async () => {
    const { stdout } = await run(`ls ${join(service.home(own.id), '..')}`);
    expect(stdout).not.toContain(other.id);
  });

  it('sends no signals to the service and to other sandboxes', async () => {
    for (const pid of [process.pid, await service.pid(other.id)]) {
      const { exitCode, stderr } = await run(`kill -0 ${pid}`);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringMatching(/not permitted|No such process/) as string,
      ]);
    }
  });

  it('finds no key of the service in the environment of the agent server', async () => {
    const environment = await readFile(`/proc/${await service.pid(own.id)}/environ`, 'utf8');
    expect(environment).toContain(own.session_api_key!);
    expect(environment).not.toMatch(/hidden|SECRET_KEY=a-secret|DATABASE_URL/);
  });
});

asRoot('whoever has the key of an embedded sandbox of a service that does not run as root', () => {
  const key = newKey();
  const client = new AgentServerClient();
  let dataDir: string;
  let database: TestDatabase;
  let way: TcpProxy;
  let git: TestGitServer;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'confined-'));
    await chmod(dataDir, 0o700);
    await chown(dataDir, NOBODY, NOBODY);
    database = await createTestDatabase();
    // Only the user of these tests can enter the folder where the test server listens.
    way = await startTcpProxy(database.url);
    git = await TestGitServer.start();
    const settings = {
      ...{
        DATABASE_URL: way.url,
        DATA_DIR: dataDir,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        BOOTSTRAP_KEY: key,
      },
      GIT_ALLOWED_HOSTS: git.host,
      LOG_LEVEL: 'warn',
    };
    service = ServiceProcess.start({ ...settings, LOG_LEVEL: 'info' }, { prefix: WITHOUT_NAMESPACES });
    url = await service.ready;
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await service.stop();
    await git.close();
    await way.cut();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function started(body: Record<string, unknown> = {}): Promise<StartTask> {
    const begun = await call<StartTask>({ url }, 'POST', '/api/v1/app-conversations', { key, body });
    expect(begun.status).toBe(200);
    return eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${begun.body.id}`;
      const [task] = (await call<StartTask[]>({ url }, 'GET', path, { key })).body;
      expect(['READY', 'ERROR']).toContain(task?.status);
      return task!;
    });
  }

  async function sandboxOf(task: StartTask): Promise<SandboxRecord> {
    const path = `/api/v1/sandboxes?id=${task.sandbox_id}`;
    return (await call<SandboxRecord[]>({ url }, 'GET', path, { key })).body[0]!;
  }

  function home(sandboxId: string): string {
    return join(dataDir, 'sandboxes', 'embedded', sandboxId);
  }

  async function request(sandbox: SandboxRecord, method: string, path: string, body?: string | FormData) {
    const { baseUrl, apiKey } = target(sandbox);
    const headers = { 'x-session-api-key': apiKey };
    const response = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  }

  it('is told at the start what the sandboxes do not offer', async () => {
    await eventually(() => expect(service.output).toContain('without commands, setup scripts and git hooks'));
  });

  it('runs no command, opens no file outside the folder and makes none', async () => {
    const sandbox = await sandboxOf(await started());
    const inside = join(home(sandbox.id), 'workspace', 'project');
    await symlink('/etc', join(inside, 'link'));
    const bash = await request(sandbox, 'POST', '/api/bash/execute_bash_command', '{"command":"id"}');
    expect(bash).toEqual({ status: 403, text: expect.stringContaining('runs no commands') as string });
    expect(await request(sandbox, 'GET', '/api/bash/bash_events/search')).toMatchObject({ status: 403 });
    const outside = [
      join(dataDir, 'secret.key'),
      '/etc/passwd',
      '/proc/self/environ',
      `${inside}/../../../x`,
      `${inside}/link/passwd`,
      `${inside}/link/new`,
      `${home(sandbox.id)}/workspace/conversations`,
    ];
    for (const path of outside) {
      const query = `path=${encodeURIComponent(path)}`;
      expect(await request(sandbox, 'GET', `/api/file/download?${query}`)).toMatchObject({ status: 403 });
      expect(await request(sandbox, 'POST', `/api/file/create_directory?${query}`)).toMatchObject({
        status: 403,
      });
      const form = new FormData();
      form.set('file', new Blob(['x']), 'x');
      expect(await request(sandbox, 'POST', `/api/file/upload?${query}`, form)).toMatchObject({
        status: 403,
      });
    }
    const elsewhere = {
      conversation_id: newId(),
      agent: { llm: { model: 'x' }, tools: [] },
      workspace: { working_dir: join(dataDir, 'made') },
    };
    await expect(client.startConversation(target(sandbox), elsewhere)).rejects.toBeInstanceOf(
      AgentServerRefusedError,
    );
    const own = `path=${encodeURIComponent(join(inside, 'own', 'folder'))}`;
    expect(await request(sandbox, 'POST', `/api/file/create_directory?${own}`)).toMatchObject({
      status: 200,
    });
  });

  it('names its folder to who asks for /workspace/project, as clients of hosted services do', async () => {
    const sandbox = await sandboxOf(await started());
    const inside = join(home(sandbox.id), 'workspace', 'project');
    const query = `path=${encodeURIComponent('/workspace/project/new')}`;
    expect(await request(sandbox, 'POST', `/api/file/create_directory?${query}`)).toEqual({
      status: 403,
      text: expect.stringContaining(`files under ${inside} only`) as string,
    });
  });

  it('has the agent server call no model on the local network', async () => {
    const task = await started();
    const sandbox = await sandboxOf(task);
    const asked = git.requests.length;
    const id = newId();
    const base = `http://${git.host}/v1`;
    await client.startConversation(target(sandbox), {
      conversation_id: id,
      agent: { llm: { model: 'x', base_url: base, api_key: 'k' }, tools: [] },
      workspace: { working_dir: join(home(sandbox.id), 'workspace', 'project', 'x') },
      initial_message: { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    });
    await eventually(async () =>
      expect(await client.getConversation(target(sandbox), id)).toMatchObject({ execution_status: 'error' }),
    );
    expect(git.requests).toHaveLength(asked);
  });

  it('gets the files of a repository, and is told what was not run', async () => {
    await git.repository('scripts', {
      'README.md': 'main',
      'deep/file.txt': 'deep',
      '.openhands/setup.sh': 'touch made-by-setup',
      '.openhands/pre-commit.sh': 'exit 1',
    });
    const task = await started({ selected_repository: git.url('scripts') });
    expect(task).toMatchObject({ status: 'READY' });
    expect(task.detail).toContain('The setup script was not run');
    expect(task.detail).toContain('The git hook was not installed');
    const folder = join(
      home(task.sandbox_id),
      'workspace',
      'project',
      hexOf(task.app_conversation_id!),
      'scripts',
    );
    expect(await readFile(join(folder, 'deep', 'file.txt'), 'utf8')).toBe('deep');
    await expect(readFile(join(folder, 'made-by-setup'))).rejects.toThrow('ENOENT');
  });

  it('has nothing fetched from a host that is not public', async () => {
    const body = { selected_repository: 'https://127.0.0.1/a/b' };
    const refused = await call({ url }, 'POST', '/api/v1/app-conversations', { key, body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'repository_address_invalid' } });
  });
});

describe('the process driver without root', () => {
  let dataDir: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'unisolated-'));
    await chmod(dataDir, 0o777);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  function start(env: Readonly<Record<string, string>>): ServiceProcess {
    const settings = { DATA_DIR: join(dataDir, 'data'), SANDBOX_DRIVER: 'process', ...env };
    return ServiceProcess.start(settings, { prefix: process.getuid?.() === 0 ? WITHOUT_NAMESPACES : [] });
  }

  it('does not start, and says what it takes', async () => {
    service = start({});
    expect(await service.ended).toBe(1);
    expect(service.errors).toContain('SANDBOX_ISOLATION=none');
  });

  it('starts with SANDBOX_ISOLATION=none, and says that it isolates nothing', async () => {
    service = start({ SANDBOX_ISOLATION: 'none', AGENT_SERVER_COMMAND: `${process.execPath} -e 0` });
    await service.ready;
    await eventually(() =>
      expect(service.output).toContain(
        'they isolate nothing, and everyone with a key has all that this user has',
      ),
    );
    expect(await service.stop()).toBe(0);
  });
});
