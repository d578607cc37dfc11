import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { DeferredServer } from '../../../src/appliance/embedded-agent-server/deferred-server';
import { readEmbeddedConfig } from '../../../src/appliance/embedded-agent-server/config/embedded-config';

const ONCE = 'once-key';
const KEY = 'session-key';
let folder: string;
let server: DeferredServer;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deferred-'));
  const env = {
    OH_DEFERRED_INIT: '1',
    OH_SECRET_KEY: ONCE,
    OH_CONVERSATIONS_PATH: join(folder, 'conversations'),
  };
  server = new DeferredServer(readEmbeddedConfig(['--host', '127.0.0.1', '--port', '0'], env), folder);
  url = await server.listen();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const status = async (path: string, key?: string): Promise<number> =>
  (await fetch(url + path, { headers: key === undefined ? {} : { 'x-session-api-key': key } })).status;
const init = (key: string, body: unknown = { session_api_keys: [KEY], secret_key: 's' }): Promise<Response> =>
  fetch(`${url}/api/init`, {
    method: 'POST',
    headers: { 'x-init-api-key': key },
    body: JSON.stringify(body),
  });
const opens = (key: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/sockets/bash-events?session_api_key=${key}`);
    socket.once('open', () => {
      socket.close();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

it('answers probes, and nothing else, until it is given keys', async () => {
  expect(await status('/health')).toBe(200);
  expect(await status('/ready')).toBe(200);
  expect(await (await fetch(`${url}/api/init`)).json()).toEqual({ state: 'dormant', error: null });
  expect(await status('/api/conversations', ONCE)).toBe(503);
  expect(await opens(KEY)).toBe(false);
});

it('is an agent server with the keys that it was given, once, by who shows the key it was started with', async () => {
  expect((await init('another')).status).toBe(401);
  expect((await init(ONCE, { unknown: 1 })).status).toBe(422);
  expect((await init(ONCE)).status).toBe(200);
  expect((await init(ONCE, { session_api_keys: ['mine'] })).status).toBe(400);
  expect(await (await fetch(`${url}/api/init`)).json()).toEqual({ state: 'ready', error: null });
  expect(await status('/api/conversations/count', KEY)).toBe(200);
  expect(await status('/api/conversations/count', ONCE)).toBe(401);
  expect(await status('/api/conversations/count')).toBe(401);
});
