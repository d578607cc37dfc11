import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentServerClient,
  AgentServerRefusedError,
  type AgentServer,
} from '../../../src/sandboxes/agent-server';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import { hexOf, newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';

const KEY = 'k';

let client: AgentServerClient;
let folder: string;
let server: EmbeddedServer;
let target: AgentServer;

beforeAll(async () => {
  client = new AgentServerClient();
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  const config = {
    host: '127.0.0.1',
    port: 0,
    sessionApiKeys: [KEY],
    corsOrigins: [],
    secretKey: 's',
    conversationsPath: join(folder, 'conversations'),
    webhooks: [],
    confinedTo: null,
    llm: {},
  };
  server = new EmbeddedServer(config, folder);
  target = { baseUrl: await server.listen(), apiKey: KEY };
});

afterAll(async () => {
  await client.onApplicationShutdown();
  await server.close();
  await rm(folder, { recursive: true });
});

const startBody = (more: Record<string, unknown> = {}) => ({
  agent: { llm: { model: 'openai/x' }, tools: [] },
  workspace: { working_dir: join(folder, 'project') },
  ...more,
});
const start = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await client.startConversation(target, startBody(more))).info.id;
const raw = async (method: string, path: string, body?: unknown, key: string | null = KEY) => {
  const headers = {
    ...(key === null ? {} : { 'x-session-api-key': key }),
    'content-type': 'application/json',
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(target.baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: response.status, body: await response.json() };
};
const say = (id: string, text: string, run = true) =>
  client.sendMessage(
    target,
    id,
    JSON.stringify({ role: 'user', content: [{ type: 'text', text }], run }),
    5_000,
  );
const statusOf = async (id: string) => (await client.getConversation(target, id))?.execution_status;
const until = (id: string, status: string) => eventually(async () => expect(await statusOf(id)).toBe(status));

/** The log in short: kinds, with key and value of state events. */
const story = async (id: string): Promise<string[]> => {
  const lines: string[] = [];
  for await (const event of client.events.after(target, id, null)) {
    const isStatus = event['key'] === 'execution_status';
    if (event.kind !== 'ConversationStateUpdateEvent') lines.push(`${event.kind} ${event.source ?? ''}`);
    else lines.push(isStatus ? String(event['value']) : String(event['key']));
  }
  return lines;
};

describe('probes', () => {
  it('answer without a key, and say which server this is', async () => {
    expect(await client.probes.health(target)).toBe(true);
    expect(await raw('GET', '/alive', undefined, null)).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await raw('GET', '/ready', undefined, null)).toEqual({ status: 200, body: { status: 'ready' } });
    expect(await client.probes.serverInfo({ ...target, apiKey: '' })).toMatchObject({
      title: 'Embedded agent server (echo)',
      version: '1.58.2',
      capabilities: ['idempotent_conversation_create_v1'],
    });
  });

  it.each([null, 'wrong', ''])('keep the API closed to the key %p', async (key) => {
    expect(await raw('GET', '/api/conversations/count', undefined, key)).toEqual({
      status: 401,
      body: { detail: 'Unauthorized' },
    });
  });
});

describe('a conversation', () => {
  it('starts once for each id', async () => {
    const id = newId();
    const first = await client.startConversation(
      target,
      startBody({ conversation_id: hexOf(id), tags: { a: 'b' } }),
    );
    expect(first).toMatchObject({ created: true, info: { id, execution_status: 'idle', tags: { a: 'b' } } });
    const initial = { content: [{ type: 'text', text: 'again' }] };
    const second = await client.startConversation(
      target,
      startBody({ conversation_id: id, initial_message: initial }),
    );
    expect(second).toMatchObject({ created: false, info: { id, tags: { a: 'b' } } });
    expect(await client.events.count(target, id)).toBe(0);
  });

  it('runs its initial message, whatever that says', async () => {
    const content = [{ type: 'text', text: 'hi' }];
    const id = await start({ initial_message: { role: 'user', content, run: false } });
    await until(id, 'finished');
    expect(await story(id)).toEqual([
      'SystemPromptEvent agent',
      'MessageEvent user',
      'last_user_message_id',
      'running',
      'MessageEvent agent',
      'finished',
    ]);
    expect(await raw('GET', `/api/conversations/${id}/agent_final_response`)).toMatchObject({
      body: { response: 'Echo from the embedded agent server: hi' },
    });
  });

  it('runs again for the next message, and takes the title from the first', async () => {
    const id = await start();
    expect(await say(id, 'one')).toEqual({ kind: 'delivered' });
    await until(id, 'finished');
    await say(id, 'two');
    await eventually(async () => expect(await story(id)).toHaveLength(12));
    expect((await story(id)).slice(6)).toEqual([
      'idle',
      'MessageEvent user',
      'last_user_message_id',
      'running',
      'MessageEvent agent',
      'finished',
    ]);
    expect(await client.getConversation(target, id)).toMatchObject({ title: 'one' });
  });

  it('keeps a message that shall not run, and answers it on run', async () => {
    const id = await start();
    await say(id, 'one', false);
    await say(id, 'two', false);
    expect(await statusOf(id)).toBe('idle');
    expect(await client.run(target, id)).toBe('started');
    await until(id, 'finished');
    expect(await raw('GET', `/api/conversations/${id}/agent_final_response`)).toMatchObject({
      body: { response: 'Echo from the embedded agent server: one\ntwo' },
    });
  });

  it('takes images with keys of later versions, and no texts with such', async () => {
    const id = await start();
    const send = (block: object): Promise<unknown> =>
      client.sendMessage(target, id, JSON.stringify({ role: 'user', content: [block], run: false }), 5_000);
    const image = { type: 'image', image_urls: ['data:image/png;base64,AA=='], detail: 'high' };
    expect(await send(image)).toEqual({ kind: 'delivered' });
    expect(await send({ type: 'text', text: 'hi', detail: 'high' })).toMatchObject({
      kind: 'refused',
      status: 422,
    });
  });

  it('pauses when idle, and goes on with a message', async () => {
    const id = await start();
    expect(await client.pause(target, id)).toBe(true);
    expect(await statusOf(id)).toBe('paused');
    await say(id, 'go on');
    await until(id, 'finished');
    expect((await story(id)).slice(0, 2)).toEqual(['paused', 'PauseEvent user']);
  });

  it('takes every message of many at once, in an order', async () => {
    const id = await start();
    const many = Array.from({ length: 30 }, (_, i) => `m${i}`);
    for (const text of many) expect(await say(id, text)).toEqual({ kind: 'delivered' });
    await until(id, 'finished');
    const seen: unknown[] = [];
    for await (const event of client.events.after(target, id, null)) {
      if (event.kind === 'MessageEvent' && event.source === 'user') seen.push(event['llm_message']);
    }
    expect(seen).toEqual(
      many.map((text) => ({
        role: 'user',
        content: [{ cache_prompt: false, type: 'text', text }],
        thinking_blocks: [],
      })),
    );
  });

  it('is renamed, tagged, given secrets that it never shows, and deleted', async () => {
    const id = await start({ secrets: { A: { kind: 'StaticSecret', value: 'hidden-1' } } });
    expect(await client.patchConversation(target, id, { title: 'New', tags: { b: 'c' } })).toBe(true);
    expect(await client.setSecrets(target, id, { B: 'hidden-2' })).toBe(true);
    const info = await client.getConversation(target, id);
    expect(info).toMatchObject({ title: 'New', tags: { b: 'c' } });
    expect(JSON.stringify(info)).not.toContain('hidden');
    expect(await story(id)).toEqual(['tags']);
    const kept = await readFile(join(folder, 'conversations', hexOf(id), 'meta.json'), 'utf8');
    expect(kept).not.toContain('hidden');
    expect(await client.deleteConversation(target, id)).toBe(true);
    expect(await client.getConversation(target, id)).toBeNull();
    expect(await client.deleteConversation(target, id)).toBe(false);
  });

  it('is searched, counted and read by ids', async () => {
    const ids = [await start(), await start(), await start()];
    const query = ids.map((id) => `ids=${id}`).join('&');
    const { body } = await raw('GET', `/api/conversations?${query}&ids=${newId()}`);
    expect(body).toMatchObject([...ids.map((id) => ({ id })), null]);
    const page = await raw('GET', '/api/conversations/search?limit=2');
    expect(page.body).toMatchObject({
      items: [{ id: ids[2] }, { id: ids[1] }],
      next_page_id: hexOf(ids[0]!),
    });
    const next = await raw('GET', `/api/conversations/search?limit=1&page_id=${hexOf(ids[0]!)}`);
    expect(next.body).toMatchObject({ items: [{ id: ids[0] }] });
    expect((await raw('GET', '/api/conversations/count')).body).toBeGreaterThanOrEqual(3);
  });

  it('answers a question that leaves no trace', async () => {
    const id = await start();
    expect(await raw('POST', `/api/conversations/${id}/ask_agent`, { question: 'Why?' })).toEqual({
      status: 200,
      body: { response: 'Echo from the embedded agent server: Why?' },
    });
    expect(await client.events.count(target, id)).toBe(0);
  });
});

describe('unknown and malformed things get what the real agent server answers', () => {
  const unknown = newId();
  const message = { role: 'user', content: [] };

  it.each([
    ['GET', `/api/conversations/${unknown}`, undefined, 404, { detail: 'Not Found' }],
    ['PATCH', `/api/conversations/${unknown}`, { title: 'x' }, 404, { detail: 'Not Found' }],
    ['DELETE', `/api/conversations/${unknown}`, undefined, 404, { detail: 'Not Found' }],
    ['POST', `/api/conversations/${unknown}/pause`, undefined, 404, { detail: 'Not Found' }],
    ['POST', `/api/conversations/${unknown}/run`, undefined, 404, { detail: 'Not Found' }],
    [
      'POST',
      `/api/conversations/${unknown}/events`,
      message,
      404,
      { detail: `Conversation not found: ${unknown}` },
    ],
    ['GET', '/api/nothing', undefined, 404, { detail: 'Not Found' }],
    ['PUT', '/api/conversations', undefined, 405, { detail: 'Method Not Allowed' }],
  ])('%s %s', async (method, path, body, status, response) => {
    expect(await raw(method, path, body)).toEqual({ status, body: response });
  });

  it.each([
    ['an id that is no UUID', 'GET', '/api/conversations/nope', undefined],
    ['no agent', 'POST', '/api/conversations', { workspace: { working_dir: '/tmp' } }],
    ['a bad tag', 'POST', '/api/conversations', () => startBody({ tags: { 'B-B': 'x' } })],
    ['broken JSON', 'POST', '/api/conversations', '{'],
  ])('422 for %s', async (_name, method, path, body) => {
    const response = await raw(method, path, typeof body === 'function' ? body() : body);
    expect(response).toMatchObject({
      status: 422,
      body: { detail: [{ loc: expect.any(Array) as unknown }] },
    });
  });

  it('500 for secrets that are plain texts, at the start only', async () => {
    const response = await raw('POST', '/api/conversations', startBody({ secrets: { A: 'x' } }));
    expect(response).toMatchObject({ status: 500, body: { detail: 'Internal Server Error' } });
  });

  it('422 for content that is text or has unknown blocks, 500 for another role', async () => {
    const path = `/api/conversations/${await start()}/events`;
    expect(await raw('POST', path, { content: 'hi' })).toMatchObject({ status: 422 });
    expect(await raw('POST', path, { content: [{ type: 'video' }] })).toMatchObject({ status: 422 });
    expect(await raw('POST', path, { content: [{ type: 'text', text: 'x', extra: 1 }] })).toMatchObject({
      status: 422,
    });
    expect(await raw('POST', path, { role: 'assistant', content: [] })).toMatchObject({
      status: 500,
      body: { exception: expect.stringContaining('Only user messages are allowed') as unknown },
    });
    expect(await raw('POST', path, { content: [] })).toEqual({ status: 200, body: { success: true } });
  });
});

describe('events', () => {
  it('are found by page, source, text and whole kind, in both orders', async () => {
    const id = await start();
    await say(id, 'Needle');
    await until(id, 'finished');
    const search = (query: string) => raw('GET', `/api/conversations/${id}/events/search?${query}`);
    const all = await client.events.search(target, id);
    const ids = all.items.map((event) => event.id);
    const first = await client.events.search(target, id, { limit: 4 });
    expect(first.items.map((event) => event.id)).toEqual(ids.slice(0, 4));
    expect(first.nextPageId).toBe(ids[4]);
    const backwards = await client.events.search(target, id, { newestFirst: true });
    expect(backwards.items.map((event) => event.id)).toEqual([...ids].reverse());
    expect(await client.events.last(target, id)).toMatchObject({ id: ids.at(-1) });
    const whole = 'openhands.sdk.event.llm_convertible.message.MessageEvent';
    expect((await search(`kind=${whole}&source=user`)).body).toMatchObject({ items: [{ source: 'user' }] });
    expect((await search('kind=MessageEvent')).body).toEqual({ items: [], next_page_id: null });
    expect((await search('body=nEEdle&source=agent')).body).toMatchObject({ items: [{ source: 'agent' }] });
    expect(await search('limit=101')).toMatchObject({ status: 422 });
    expect(await search('limit=0')).toMatchObject({ status: 422 });
  });

  it('are read by id with their nulls, and an unknown id is a 404', async () => {
    const id = await start();
    await say(id, 'x', false);
    const last = await client.events.last(target, id);
    const one = await client.events.get(target, id, last!.id);
    expect(one?.event).toMatchObject(last!);
    const message = await raw('GET', `/api/conversations/${id}/events/search?source=user`);
    const messageId = (message.body as { items: { id: string }[] }).items[0]!.id;
    const event = await client.events.get(target, id, messageId);
    expect(event?.event).toMatchObject({ llm_response_id: null, sender: null });
    expect(await raw('GET', `/api/conversations/${id}/events/nope`)).toEqual({
      status: 404,
      body: { detail: 'Not Found' },
    });
    expect(await client.events.get(target, id, 'nope')).toBeNull();
  });

  it('have times without a zone that only grow, and each names the one before', async () => {
    const id = await start();
    await say(id, 'x');
    await until(id, 'finished');
    const { items } = await client.events.search(target, id);
    for (const [i, event] of items.entries()) {
      expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(event['parent_id']).toBe(items[i - 1]?.id);
      if (i > 0) expect(event.timestamp > items[i - 1]!.timestamp).toBe(true);
    }
  });
});

describe('the sandbox', () => {
  it('runs commands in its folder, and shows them nothing of its own environment', async () => {
    process.env['OH_TEST_SECRET'] = 'hidden';
    const result = await client.workspace.executeBash(target, {
      command: 'pwd; env; echo e >&2; exit 3',
      timeoutSeconds: 10,
    });
    delete process.env['OH_TEST_SECRET'];
    expect(result).toMatchObject({ exitCode: 3, stderr: 'e\n' });
    expect(result.stdout.startsWith(`${folder}\n`)).toBe(true);
    expect(result.stdout).not.toContain('hidden');
  });

  it('ends a command, and what it started, at its time limit', async () => {
    const command = 'echo begun; sleep 61 & sleep 61';
    const result = await client.workspace.executeBash(target, { command, timeoutSeconds: 5 });
    expect(result).toEqual({ exitCode: -1, stdout: 'begun\n', stderr: '' });
  });

  it('says why a command could not begin', async () => {
    const result = await client.workspace.executeBash(target, {
      command: 'true',
      cwd: 'missing',
      timeoutSeconds: 5,
    });
    expect(result.exitCode).toBe(-1);
    expect(result.stderr).toContain('Error executing command');
  });

  it.each(['execute_bash_command', 'start_bash_command'])(
    '%s outlives a command that no shell takes',
    async (route) => {
      expect(await raw('POST', `/api/bash/${route}`, { command: 'echo \u0000' })).toMatchObject({
        status: 200,
      });
      const { body } = await raw('GET', '/api/bash/bash_events/search?sort_order=TIMESTAMP_DESC&limit=1');
      expect(body).toMatchObject({
        items: [{ exit_code: -1, stderr: expect.stringContaining('Error executing command') as unknown }],
      });
    },
  );

  it('runs commands beside the caller, and lists their output', async () => {
    const started = await raw('POST', '/api/bash/start_bash_command', { command: 'echo out' });
    const { id } = started.body as { id: string };
    await eventually(async () => {
      const { body } = await raw(
        'GET',
        `/api/bash/bash_events/search?command_id__eq=${id}&kind__eq=BashOutput`,
      );
      expect(body).toMatchObject({ items: [{ exit_code: 0, stdout: 'out\n', kind: 'BashOutput' }] });
    });
  });

  it('takes and gives files', async () => {
    const path = join(folder, 'deep', 'file.bin');
    const bytes = Buffer.from([0, 13, 10, 255, 45, 45]);
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'x.bin');
    const headers = { 'x-session-api-key': KEY };
    const url = (route: string): string =>
      `${target.baseUrl}/api/file/${route}?path=${encodeURIComponent(path)}`;
    const uploaded = await fetch(url('upload'), { method: 'POST', headers, body: form });
    expect(await uploaded.json()).toEqual({ success: true });
    const downloaded = await fetch(url('download'), { headers });
    expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(bytes);
    expect(await raw('POST', '/api/file/create_directory?path=relative')).toMatchObject({ status: 400 });
  });

  it('has no skills', async () => {
    expect(await client.workspace.loadSkills(target, { load_public: false })).toMatchObject({ skills: [] });
  });
});

it('tells the client apart what was refused', async () => {
  await expect(client.startConversation(target, {})).rejects.toBeInstanceOf(AgentServerRefusedError);
  await expect(client.startConversation(target, {})).rejects.toMatchObject({ responseStatus: 422 });
});
