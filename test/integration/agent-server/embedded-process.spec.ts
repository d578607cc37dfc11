import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentServer, AgentServerClient } from '../../../src/sandboxes/agent-server';
import { embeddedAgentServerCommand } from '../../../src/appliance/embedded-agent-server';
import { hexOf, newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { Listener } from './embedded-fixture';

const KEY = 'process-key';

let client: AgentServerClient;
let folder: string;
let model: Listener;
let modelUrl: string;
let running: ChildProcess[];

beforeEach(async () => {
  client = new AgentServerClient();
  folder = await mkdtemp(join(tmpdir(), 'embedded-process-'));
  model = new Listener();
  modelUrl = await model.listen();
  running = [];
});

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  model.close();
  await client.onApplicationShutdown();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function launch(
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; target: AgentServer }> {
  const { command, args } = embeddedAgentServerCommand();
  const child = spawn(command, [...args, '--own-user', '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], OH_SESSION_API_KEYS_0: KEY, OH_SECRET_KEY: 's', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const baseUrl = await eventually(() => {
    const url = /http:\/\/\S+/.exec(said.join(''))?.[0];
    if (url === undefined) throw new Error(`The process does not listen: ${said.join('')}`);
    return url;
  });
  return { child, target: { baseUrl, apiKey: KEY } };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await ended)[0];
}

const startBody = (id: string, llm: Record<string, unknown> = { model: 'x' }) => ({
  conversation_id: id,
  agent: { llm, tools: [] },
  workspace: { working_dir: join(folder, 'project') },
  secrets: { TOKEN: { kind: 'StaticSecret', value: 'hidden-token' } },
  tags: { a: 'b' },
});
const message = (text: string): string =>
  JSON.stringify({ role: 'user', content: [{ type: 'text', text }], run: true });
const events = async (target: AgentServer, id: string) => {
  const all = [];
  for await (const event of client.events.after(target, id, null)) all.push(event);
  return all;
};
const until = (target: AgentServer, id: string, status: string) =>
  eventually(async () => {
    expect(await client.getConversation(target, id)).toMatchObject({ execution_status: status });
  });

it('survives kill -9 with all that it had said it stored', async () => {
  const id = newId();
  const first = await launch();
  await client.startConversation(first.target, startBody(id));
  await client.sendMessage(first.target, id, message('one'), 5_000);
  await until(first.target, id, 'finished');
  await client.patchConversation(first.target, id, { title: 'Kept' });
  const before = await events(first.target, id);
  await kill(first.child, 'SIGKILL');
  const log = join(folder, 'workspace', 'conversations', hexOf(id), 'events.jsonl');
  await appendFile(log, '{"id":"half a li');

  const second = await launch();
  expect(await events(second.target, id)).toEqual(before);
  expect(await client.getConversation(second.target, id)).toMatchObject({
    title: 'Kept',
    tags: { a: 'b' },
    execution_status: 'finished',
  });
  expect(await client.startConversation(second.target, startBody(id))).toMatchObject({ created: false });
  await client.sendMessage(second.target, id, message('two'), 5_000);
  await until(second.target, id, 'finished');
  const after = await events(second.target, id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.filter(({ kind, source }) => kind === 'MessageEvent' && source === 'agent')).toHaveLength(2);
});

it('calls what ran when it was killed an error, tells the webhook so, and goes on with the next message', async () => {
  const hooks = new Listener();
  const env = {
    LLM_MODEL: 'openai/stub',
    LLM_BASE_URL: modelUrl,
    LLM_API_KEY: 'hidden-model-key',
    OH_WEBHOOKS_0_BASE_URL: await hooks.listen(),
    OH_WEBHOOKS_0_EVENT_BUFFER_SIZE: '1',
    OH_WEBHOOKS_0_FLUSH_DELAY: '0.1',
    OH_WEBHOOKS_0_HEADERS: '{"x-extra":"e"}',
  };
  model.answer = () => undefined;
  const id = newId();
  const first = await launch(env);
  expect(await client.probes.serverInfo(first.target)).toMatchObject({
    title: 'Embedded agent server (chat)',
  });
  await client.startConversation(first.target, startBody(id));
  await client.sendMessage(first.target, id, message('one'), 5_000);
  await eventually(() => expect(model.received).toHaveLength(1));
  await until(first.target, id, 'running');
  await kill(first.child, 'SIGKILL');
  hooks.received.length = 0;

  model.answer = (_request, response) => response.end('{"choices":[{"message":{"content":"Back"}}]}');
  const second = await launch(env);
  await until(second.target, id, 'error');
  await eventually(() =>
    expect(hooks.received.flatMap(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        key: 'full_state',
        value: expect.objectContaining({ execution_status: 'error' }) as unknown,
      }),
    ),
  );
  expect(hooks.received[0]?.headers).toMatchObject({ 'x-session-api-key': KEY, 'x-extra': 'e' });
  await client.sendMessage(second.target, id, message('two'), 5_000);
  await until(second.target, id, 'finished');
  expect(model.received[1]?.body).toMatchObject({
    messages: [{ role: 'system' }, { content: [{ text: 'one' }] }, { content: [{ text: 'two' }] }],
  });
  hooks.close();
});

it('keeps keys and secrets unreadable on the disk, and uses them after a restart', async () => {
  model.answer = (_request, response) => response.end('{"choices":[{"message":{"content":"Hi"}}]}');
  const id = newId();
  const llm = { model: 'own', base_url: modelUrl, api_key: 'hidden-model-key' };
  const env = { LLM_BASE_URL: modelUrl };
  const first = await launch(env);
  await client.startConversation(first.target, startBody(id, llm));
  await kill(first.child, 'SIGKILL');
  const meta = join(folder, 'workspace', 'conversations', hexOf(id), 'meta.json');
  expect(await readFile(meta, 'utf8')).not.toContain('hidden');
  const second = await launch(env);
  await client.sendMessage(second.target, id, message('one'), 5_000);
  await until(second.target, id, 'finished');
  expect(model.received[0]?.headers.authorization).toBe('Bearer hidden-model-key');
});

it('stops on SIGTERM, and leaves what ran paused', async () => {
  model.answer = () => undefined;
  const env = { LLM_MODEL: 'x', LLM_BASE_URL: modelUrl };
  const id = newId();
  const first = await launch(env);
  await client.startConversation(first.target, startBody(id));
  await client.sendMessage(first.target, id, message('one'), 5_000);
  await eventually(() => expect(model.received).toHaveLength(1));
  expect(await kill(first.child, 'SIGTERM')).toBe(0);
  const second = await launch(env);
  await until(second.target, id, 'paused');
});

it('runs commands without its own keys in their environment', async () => {
  const { target } = await launch({ LLM_API_KEY: 'hidden-model-key' });
  const { stdout } = await client.workspace.executeBash(target, { command: 'pwd; env', timeoutSeconds: 10 });
  expect(stdout.startsWith(`${folder}\n`)).toBe(true);
  expect(stdout).not.toMatch(/hidden|process-key|OH_|LLM_/);
});

it.each([
  [['--port', 'x'], {}, '--port must be a number'],
  [['--port', '0'], { OH_WEBHOOKS_0_BASE_URL: 'nowhere' }, 'OH_WEBHOOKS_0_'],
])('says what is wrong with %p and %p, and ends', async (args, env, sentence) => {
  const start = embeddedAgentServerCommand();
  const child = spawn(start.command, [...start.args, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(said).toContain(sentence);
});
