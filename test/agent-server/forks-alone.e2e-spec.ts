import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { newKey } from '../../src/accounts/api-keys/keys/key-format';
import { isIsolated } from '../support/agent-server/sandbox-isolation';
import {
  forkServerOf,
  startedBy,
  type StartedProcess,
  waitingOf,
} from '../support/agent-server/started-processes';
import { ask } from '../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { endAtOnce } from '../support/processes-in';
import { saying } from '../support/queue/queued-messages';
import { ConversationClient } from '../support/service/conversation-client';
import { freePort } from '../support/service/free-port';
import { ServiceProcess } from '../support/service/service-process';

const PATIENCE_MS = 90_000;

/** A program with the packages of another one's environment and, unlike that, those of its user. @returns its path */
async function withUserPackages(command: string, folder: string): Promise<string> {
  // What its files name.
  const root = dirname(dirname(await realpath(command)));
  await mkdir(join(folder, 'bin'), { recursive: true });
  await symlink(join(root, 'lib'), join(folder, 'lib'));
  const settings = await readFile(join(root, 'pyvenv.cfg'), 'utf8');
  const [, python = ''] = /^executable = (.*)$/m.exec(settings) ?? [];
  await symlink(python, join(folder, 'bin', 'python'));
  await writeFile(
    join(folder, 'pyvenv.cfg'),
    settings.replace('include-system-site-packages = false', 'include-system-site-packages = true'),
  );
  const script = (await readFile(command, 'utf8')).replaceAll(join(root, 'bin'), join(folder, 'bin'));
  expect(script).toContain(folder);
  const program = join(folder, 'bin', 'agent-server');
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

(isIsolated ? describe : describe.skip)('a real agent server that is forked, or is to be', () => {
  const key = newKey();
  let folder: string;
  let database: TestDatabase;
  let model: ScriptedModel;
  let command: string;
  let port: number;
  let service: ServiceProcess;
  let client: ConversationClient;
  let id: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forks-'));
    await mkdir(join(folder, 'data'));
    for (const path of [folder, join(folder, 'data')]) await chmod(path, 0o755);
    command = await withUserPackages((await ensureAgentServer()).command, join(folder, 'python'));
    [database, model, port] = await Promise.all([createTestDatabase(), ScriptedModel.start(), freePort()]);
    client = new ConversationClient({ url: `http://127.0.0.1:${port}` }, key, PATIENCE_MS);
    await launch();
    id = await client.ready();
  });

  afterAll(async () => {
    await service.stop();
    for (const { pid } of await startedBy(port)) endAtOnce(pid);
    await Promise.all([model.stop(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** With nothing of the environment but PATH. */
  async function launch(): Promise<void> {
    service = ServiceProcess.start({
      ...{
        PORT: `${port}`,
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'data'),
        JOB_LEASE_SECONDS: '2',
      },
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'process',
      AGENT_SERVER_COMMAND: command,
      LLM_MODEL: 'openai/scripted',
      LLM_BASE_URL: model.baseUrl,
      LLM_API_KEY: 'scripted-model-key',
    });
    await service.ready;
  }

  const forks = async (): Promise<StartedProcess[]> =>
    (await startedBy(port)).filter(({ name }) => name === 'agent-server');

  /** Has an agent run a command. @returns what its conversation has then, as JSON */
  const run = async (line: string): Promise<string> => {
    model.enqueue(reply.terminal(line), reply.text('It ran.'));
    const before = (await client.texts(id, 'agent', 0)).length;
    const path = `/api/v1/app-conversations/${id}/send-message`;
    expect((await client.call('POST', path, { body: saying('Run it.') })).status).toBe(200);
    await client.texts(id, 'agent', before + 1);
    return JSON.stringify(await client.events(id));
  };

  it('runs commands in a terminal, though its service has no locale', async () => {
    expect(await forks()).toHaveLength(1);
    expect(await run('echo "This is ${TMUX:+a} terminal."')).toContain('This is a terminal.');
  });

  it('reads no packages that its agent installed for itself, as other programs of its sandbox do', async () => {
    const { sandbox_id: sandbox } = await client.record(id);
    const home = join(folder, 'data', 'sandboxes', 'process', sandbox);
    const [version = ''] = await readdir(join(folder, 'python', 'lib'));
    const packages = join(home, '.local', 'lib', version, 'site-packages');
    await mkdir(packages, { recursive: true });
    // Python runs it before anything else.
    const line = 'import os; open(os.path.expanduser("~/was-read"), "w").close()';
    await writeFile(join(packages, 'installed.pth'), `${line}\n`);
    const { uid, gid } = await stat(home);
    await chown(packages, uid, gid);
    await client.call('POST', `/api/v1/sandboxes/${sandbox}/pause`);
    await eventually(async () => expect(await forks()).toEqual([]), PATIENCE_MS);
    await client.call('POST', `/api/v1/sandboxes/${sandbox}/resume`);
    await eventually(async () => {
      expect((await client.record(id)).sandbox_status).toBe('RUNNING');
    }, PATIENCE_MS);
    expect(await forks()).toHaveLength(1);
    expect(await readdir(home)).not.toContain('was-read');
    await run(`${join(folder, 'python', 'bin', 'python')} -c pass`);
    expect(await readdir(home)).toContain('was-read');
  });

  it('goes on by itself where its service is killed before it is forked', async () => {
    const known = waitingOf(await startedBy(port)).length;
    const server = forkServerOf(await startedBy(port))!;
    process.kill(server.pid, 'SIGSTOP');
    const task = await client.begin({ initial_message: saying('Is anybody there?') });
    await eventually(async () => {
      const sql = `SELECT 1 FROM sandboxes WHERE status = 'STARTING' AND launched`;
      expect(await ask(database.url, sql)).toHaveLength(1);
      expect(waitingOf(await startedBy(port))).toHaveLength(known + 1);
    }, PATIENCE_MS);
    await service.stop('SIGKILL');
    // Nobody makes that fork any more.
    await eventually(() => expect(() => process.kill(server.pid, 0)).toThrow(), PATIENCE_MS);
    await launch();
    const ended = await client.ended(task.id);
    expect(ended).toMatchObject({ status: 'READY', detail: null });
    await client.texts(ended.app_conversation_id!, 'agent', 1);
    expect(await forks()).toHaveLength(1);
    expect(waitingOf(await startedBy(port))).toHaveLength(known);
  });
});
