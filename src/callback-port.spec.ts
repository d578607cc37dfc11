import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isCallOfSandbox, noteAddress } from './kernel/auth';
import { CallbackPort } from './callback-port';
import { readSettings } from './kernel/config';
import { DataDir } from './data-dir';
import { Drain } from './drain';
import { freePort } from './free-port';
import { countedAddress } from './kernel/http/request/client-address';
import { serveSandboxes } from './kernel/http/server/callback-listener';

const LOOPBACK = '127.0.0.1';

/** What is answered at a port; the code of an error where nothing is. */
function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: LOOPBACK, port, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    asked.end();
  });
}

describe('a second address of a server, for sandboxes', () => {
  let server: Server;
  let port: number;

  let dataDir: DataDir;
  let callbackPort: CallbackPort;

  beforeEach(async () => {
    dataDir = await DataDir.open(await mkdtemp(join(tmpdir(), 'callback-')));
    callbackPort = (await CallbackPort.open(readSettings({}), dataDir))!;
    ({ port } = callbackPort);
    server = createServer();
    serveSandboxes(server, callbackPort);
  });
  afterEach(async () => {
    server.close();
    callbackPort.close();
    await rm(dataDir.path, { recursive: true });
  });

  async function listen(): Promise<number> {
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('is answered by that server, which knows who calls there, and only while it listens', async () => {
    server.on('request', (asked, response) => response.end(String(isCallOfSandbox(asked))));
    expect(await ask(port)).toBe('ECONNRESET');
    const own = await listen();
    expect([await ask(own), await ask(port)]).toEqual(['false', 'true']);
    server.close();
    await once(server, 'close');
    expect(await ask(port)).toBe('ECONNREFUSED');
  });

  it('has requests counted apart from others of the same address, whatever they say of it', async () => {
    server.on('request', (asked, response) => {
      asked.headers['x-forwarded-for'] = '203.0.113.1';
      noteAddress(asked, 1);
      response.end(countedAddress(asked));
    });
    const own = await listen();
    const { uid } = userInfo();
    const expected =
      process.platform === 'linux' ? `127.0.0.1, sandboxes of user ${uid}` : '127.0.0.1, sandboxes';
    expect([await ask(own), await ask(port)]).toEqual(['203.0.113.1', expected]);
  });

  it('takes part in a stop: requests in flight are answered', async () => {
    const drain = new Drain(server);
    await listen();
    const begun = new Promise<() => void>((resolve) => {
      server.on('request', (_, response) => resolve(() => response.end('finished')));
    });
    const answer = ask(port);
    const finish = await begun;
    let isDrained = false;
    const drained = drain.finish(60_000).then(() => (isDrained = true));
    await once(server, 'close');
    expect(isDrained).toBe(false);
    finish();
    expect(await answer).toBe('finished');
    await drained;
  });
});

describe('the port of a service for sandboxes', () => {
  let dataDir: DataDir;

  beforeEach(async () => {
    dataDir = await DataDir.open(await mkdtemp(join(tmpdir(), 'callback-')));
  });
  afterEach(() => rm(dataDir.path, { recursive: true }));

  const open = (env: Record<string, string> = {}): Promise<CallbackPort | null> =>
    CallbackPort.open(readSettings(env), dataDir);

  /** The port of a service that ends at once. */
  async function portOf(env: Record<string, string> = {}): Promise<number | undefined> {
    const opened = await open(env);
    opened?.close();
    return opened?.port;
  }

  it('stays the same, unless somebody else has it', async () => {
    const port = await portOf();
    expect(port).toBeGreaterThan(1_023);
    expect(await portOf()).toBe(port);
    const other = createServer().listen(port, LOOPBACK);
    await once(other, 'listening');
    const another = await portOf();
    expect(another).not.toBe(port);
    other.close();
    expect(await portOf()).toBe(another);
  });

  it('is of one service only, of several that start together', async () => {
    await portOf();
    const opened = await Promise.all([open(), open(), open()]);
    expect(new Set(opened.map((one) => one?.port)).size).toBe(3);
    for (const one of opened) one?.close();
  });

  it('is chosen where sandboxes call at loopback, and else only that of the settings', async () => {
    expect(await portOf({ PUBLIC_URL: 'http://localhost:3000' })).toBeDefined();
    for (const CALLBACK_URL of [
      'http://192.0.2.1:3000',
      'https://127.0.0.1',
      'http://127.0.0.1/conversations',
    ])
      expect(await portOf({ CALLBACK_URL })).toBeUndefined();
    expect(await portOf({ APP_ROLE: 'api' })).toBeUndefined();
    const port = await freePort({ HOST: LOOPBACK, PORT: 0 });
    const named = { CALLBACK_PORT: String(port), CALLBACK_URL: `http://192.0.2.1:${port}` };
    expect(await portOf({ ...named, APP_ROLE: 'api' })).toBe(port);
    const other = createServer().listen(port, LOOPBACK);
    await once(other, 'listening');
    await expect(portOf(named)).rejects.toThrow(`Port ${port} on ${LOOPBACK} is in use.`);
    other.close();
  });
});
