import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { ScriptedLookup } from '../../../../test/support/scripted-lookup';
import { AllowedHosts, CheckedHosts } from '../../../kernel/common';
import { Destinations } from './tunnel';
import { GitProxy, type OpenedProxy } from './git-proxy';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the proxy between git and the network', () => {
  let canary: Server;
  let canaryPort: number;
  let touched = 0;
  const lookup = new ScriptedLookup();
  let proxy: GitProxy;
  let opened: OpenedProxy;
  let tooLarge = 0;

  beforeAll(async () => {
    canary = createServer((socket) => {
      touched += 1;
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(Buffer.alloc(2000)));
    });
    canaryPort = await listening(canary);
  });
  afterAll(() => canary.close());

  beforeEach(async () => {
    touched = 0;
    tooLarge = 0;
    lookup.asked.length = 0;
    lookup.answers = [];
    proxy = new GitProxy(
      new Destinations(
        new CheckedHosts(
          new AllowedHosts('ALLOWED', [`allowed.example:${canaryPort}`, `127.0.0.2:${canaryPort}`]),
          lookup,
        ),
      ),
    );
    opened = await proxy.open(1500, () => (tooLarge += 1));
  });
  afterEach(async () => {
    opened.close();
    await proxy.onModuleDestroy();
  });

  /** Sends a CONNECT; the first line of the response and the connection. */
  async function tunnelTo(authority: string, password?: string): Promise<[string, Socket]> {
    const { port, password: own } = new URL(opened.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const credentials = Buffer.from(`git:${password ?? own}`).toString('base64');
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
    );
    const [response] = (await once(socket, 'data')) as [Buffer];
    return [response.toString().split('\r\n')[0] ?? '', socket];
  }

  it('is not ended by clients without a password that reset their connection', async () => {
    for (let n = 0; n < 20; n++) {
      const socket = connect(Number(new URL(opened.url).port), '127.0.0.1');
      socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    expect((await tunnelTo('x:443', 'guess'))[0]).toContain('407');
  });

  it('refuses clients without the password of a running git', async () => {
    const [response] = await tunnelTo(`allowed.example:${canaryPort}`, 'guess');
    expect(response).toContain('407');
    opened.close();
    const [late] = await tunnelTo(`allowed.example:${canaryPort}`);
    expect(late).toContain('407');
    expect(touched).toBe(0);
  });

  it.each([
    '127.0.0.1',
    'localhost',
    'localhost.',
    'LOCALHOST',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::]',
  ])('does not reach this machine as %s', async (host) => {
    lookup.answers = [['127.0.0.1']];
    for (const port of [443, canaryPort]) {
      const [response] = await tunnelTo(`${host}:${port}`);
      expect(response).toContain('403');
    }
    expect(touched).toBe(0);
    expect(opened.session.problem?.message).toMatch(/public address/);
  });

  it('does not connect when one of several addresses is private', async () => {
    lookup.answers = [['140.82.112.3', '10.0.0.1']];
    const [response] = await tunnelTo('mixed.example:443');
    expect(response).toContain('403');
    expect(opened.session.problem?.message).toBe('the host mixed.example is not at a public address');
  });

  it('resolves the host once and connects to that address, whatever the name server says next', async () => {
    // 192.0.2.0/24 is set aside for documentation: refused, and so never contacted.
    lookup.answers = [['192.0.2.1'], ['127.0.0.1']];
    const [response] = await tunnelTo('rebinding.example:443');
    expect(response).toContain('403');
    expect(lookup.asked).toEqual(['rebinding.example']);
    expect(touched).toBe(0);
  });

  it('connects to port 443 only, unless the operator allows another', async () => {
    lookup.answers = [['140.82.112.3']];
    const [response] = await tunnelTo('git.example:22');
    expect(response).toContain('403');
    expect(opened.session.problem?.message).toBe('port 22 is not allowed; https uses 443');
    const [allowed, socket] = await tunnelTo(`allowed.example:${canaryPort}`);
    expect(allowed).toContain('200');
    socket.destroy();
  });

  it.each(['allowed.example', 'allowed.example:', 'a b:443', 'x@allowed.example:443', ':443'])(
    'does not understand %j',
    async (authority) => {
      const { port, password } = new URL(opened.url);
      const credentials = Buffer.from(`git:${password}`).toString('base64');
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
      );
      const [response] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
      expect(String(response)).not.toContain('200');
      expect(touched).toBe(0);
      socket.destroy();
    },
  );

  it('closes the connection and reports it once when more bytes arrive than allowed', async () => {
    const [, socket] = await tunnelTo(`allowed.example:${canaryPort}`);
    socket.write('more');
    await once(socket, 'close');
    expect(tooLarge).toBe(1);
    expect(opened.session.bytesReceived).toBeGreaterThan(1500);
  });

  it('closes open connections when git is done', async () => {
    const [, socket] = await tunnelTo(`allowed.example:${canaryPort}`);
    opened.close();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  describe('without encryption', () => {
    async function get(url: string): Promise<{ status: number; body: string }> {
      const { port, password } = new URL(opened.url);
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path: url,
        headers: {
          'Proxy-Authorization': `Basic ${Buffer.from(`git:${password}`).toString('base64')}`,
          Authorization: 'Basic kept',
        },
      });
      outgoing.end();
      const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
      return { status: response.statusCode ?? 0, body: (await response.toArray()).join('') };
    }

    it('forwards requests to allowed hosts only, without the proxy’s own password', async () => {
      const seen: string[] = [];
      const web = createHttpServer((incoming, response) => {
        seen.push(incoming.url ?? '', Object.keys(incoming.headers).join());
        response.end('hello');
      });
      const port = await listening(web);
      try {
        expect((await get(`http://127.0.0.1:${port}/x?y=1`)).status).toBe(403);
        expect(opened.session.problem?.message).toBe('the host 127.0.0.1 may be reached by https only');
        expect(seen).toEqual([]);

        const other = new GitProxy(
          new Destinations(new CheckedHosts(new AllowedHosts('ALLOWED', [`127.0.0.1:${port}`]), lookup)),
        );
        opened.close();
        opened = await other.open(1500, () => undefined);
        expect(await get(`http://127.0.0.1:${port}/x?y=1`)).toEqual({ status: 200, body: 'hello' });
        expect(seen[0]).toBe('/x?y=1');
        expect(seen[1]).toContain('authorization');
        expect(seen[1]).not.toContain('proxy');
        await other.onModuleDestroy();
      } finally {
        web.closeAllConnections();
        web.close();
      }
    });

    it('speaks no other protocol', async () => {
      expect((await get('ftp://git.example/x')).status).toBe(403);
      expect((await get('/etc/passwd')).status).toBe(403);
    });
  });
});
