import { type AddressInfo, createServer, type Socket } from 'node:net';
import { MEBIBYTE } from '../../../src/kernel/common';
import { begin, rawExchange, whole } from '../../support/sandbox-access/door-calls';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { standstill } from '../../support/sandbox-access/standstill';
import { eventually } from '../../support/eventually';
import { call, type ErrorBody } from '../../support/service/http';

let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  // Longer than a busy machine pauses.
  service = await DoorService.start({ DOOR_IDLE_SECONDS: '4' });
  sandbox = await service.sandbox();
  ({ key } = service.owner);
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

const get = (path = '/x') => call<ErrorBody & string>(service.app, 'GET', sandbox.door + path, { key });
const beginGet = (path = '/x') => {
  const sent = begin(`${service.app.url}${sandbox.door}${path}`, { headers: { 'X-Access-Token': key } });
  sent.end();
  return sent;
};

/**
 * Has the far side answer with these bytes, and then do with its connection what a test says. The connection cannot be
 * used again: the server there knows of no response. One that stays whole has to close it.
 */
const answerRaw = (bytes: string, then: (socket: Socket) => void = () => undefined) => {
  service.far.answer = ({ socket }) => {
    socket.write(bytes, 'latin1');
    then(socket);
  };
};

describe('the headers of a response', () => {
  it('are those that describe its body, and those of the service', async () => {
    const stranger = {
      'Set-Cookie': ['a=b', 'c=d'],
      'Clear-Site-Data': '"*"',
      'Service-Worker-Allowed': '/',
      NEL: '{}',
      ...{
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Credentials': 'true',
        'Report-To': '{}',
      },
      ...{
        'Content-Security-Policy': 'default-src *',
        'Strict-Transport-Security': 'max-age=0',
        'Alt-Svc': 'clear',
      },
      ...{
        'X-Frame-Options': 'ALLOWALL',
        'X-Content-Type-Options': 'sniff',
        'Referrer-Policy': 'unsafe-url',
      },
      ...{
        'X-Accel-Redirect': '/etc/passwd',
        'X-Sendfile': '/etc/passwd',
        Refresh: '0; url=https://evil.example',
      },
      ...{
        Link: '</x>; rel=preload',
        SourceMap: '/x',
        'WWW-Authenticate': 'Basic',
        Server: 'far',
        Via: '1.1 far',
      },
      ...{
        'Public-Key-Pins': 'x',
        'X-Request-Id': 'far',
        'RateLimit-Limit': '1',
        'Server-Timing': 'x',
        Expires: '0',
      },
      ...{
        'Keep-Alive': 'timeout=1',
        'Proxy-Authenticate': 'Basic',
        'Cache-Control': 'public, max-age=99',
        Age: '9',
      },
      'Content-Location': '/x',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Anything': 'else',
    };
    const described = {
      ...{
        'Content-Type': 'text/html',
        'Content-Language': 'en',
        'Content-Disposition': 'attachment; filename="ä"',
      },
      ...{
        ETag: '"1"',
        'Last-Modified': 'Sun, 01 Nov 2026 00:00:00 GMT',
        'Accept-Ranges': 'bytes',
        Vary: 'Accept',
      },
    };
    service.far.answer = (_request, response) =>
      void response.writeHead(200, { ...stranger, ...described }).end('<p>');
    const own = (await call(service.app, 'GET', '/api/keys', { key })).headers;
    const { headers } = await get();
    const names = Object.keys(headers).filter((name) => name !== 'connection' && name !== 'date');
    expect(names.sort()).toEqual(
      [
        ...Object.keys(own).filter((name) => !/^(connection|date|keep-alive|etag|content-)/.test(name)),
        ...Object.keys(described).map((name) => name.toLowerCase()),
        'content-security-policy',
        'transfer-encoding',
      ].sort(),
    );
    for (const name of ['strict-transport-security', 'x-frame-options', 'referrer-policy'])
      expect(headers[name]).toBe(own[name]);
    expect(headers).toMatchObject({
      ...{
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html',
      },
      'cache-control': 'no-store',
      etag: '"1"',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': 'attachment; filename="ä"',
    });
    expect(headers['x-request-id']).not.toBe('far');
  });

  it('are not to be stored, whatever the agent server says', async () => {
    service.far.answer = (_request, response) =>
      void response.writeHead(200, { 'Cache-Control': 'public, max-age=60' }).end();
    expect((await get()).headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['/api/other?x=1', '/api/other?x=1'],
    ['other', '/api/other'],
    ['http://FAR/api/other#part', '/api/other#part'],
    ['https://evil.example/', undefined],
    ['//evil.example/', undefined],
    ['http://user:password@FAR/', undefined],
    ['http://FAR:1/', undefined],
    ['javascript:alert(1)', undefined],
    ['http://[', undefined],
  ])('redirect to %s as to %s of the same agent server', async (location, path) => {
    const { host } = new URL(service.far.url);
    service.far.answer = (_request, response) =>
      void response.writeHead(307, { Location: location.replace('FAR', host) }).end();
    const { status, headers } = await get('/api/x');
    expect([status, headers.location]).toEqual([307, path === undefined ? undefined : sandbox.door + path]);
  });

  it('redirect never above the path that the agent server has at its address', async () => {
    const prefixed = await service.sandbox({ baseUrl: `${service.far.url}/agents/7` });
    for (const [location, path] of [
      ['../../other', undefined],
      ['/agents/8', undefined],
      ['/agents/7/a', '/a'],
    ]) {
      service.far.answer = (_request, response) => void response.writeHead(302, { Location: location }).end();
      const { headers } = await call(service.app, 'GET', `${prefixed.door}/x`, { key });
      expect(headers.location).toBe(path === undefined ? undefined : prefixed.door + path);
    }
  });
});

describe('a response', () => {
  it('has the status and the bytes of the agent server, faults as well', async () => {
    service.far.answer = (_request, response) =>
      void response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"detail":[]}');
    expect(await get()).toMatchObject({ status: 422, body: { detail: [] } });
  });

  it('to HEAD, and without a body, has none', async () => {
    service.far.answer = (_request, response) => void response.writeHead(200, { 'Content-Length': 7 }).end();
    const head = begin(`${service.app.url}${sandbox.door}/x`, {
      method: 'HEAD',
      headers: { 'X-Access-Token': key },
    });
    head.end();
    expect(await whole(head)).toMatchObject({ status: 200, text: '', headers: { 'content-length': '7' } });
    service.far.answer = (_request, response) => void response.writeHead(204).end();
    expect(await get()).toMatchObject({ status: 204, body: null });
  });

  it('comes while it is made, no faster than its caller reads', async () => {
    let sent = 0;
    let isClosed = false;
    service.far.answer = (_request, response) => {
      const chunk = Buffer.alloc(MEBIBYTE);
      const write = (): void => {
        while (!isClosed && response.write(chunk)) sent++;
        sent++;
        response.once('drain', write);
      };
      response.once('close', () => (isClosed = true));
      write();
    };
    const request = beginGet();
    const answer = await new Promise<NodeJS.ReadableStream>((resolve) => request.once('response', resolve));
    answer.once('data', () => answer.pause());
    expect(await standstill(service.app.url, () => sent, 32)).toBeLessThan(32);
    request.destroy();
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('that came before the body was read is read by a caller that goes on writing', async () => {
    service.far.answerEarly = (_request, response) => void response.writeHead(413).end('too large');
    const headers = { 'X-Access-Token': key, 'Content-Length': 8 * MEBIBYTE };
    const sent = begin(`${service.app.url}${sandbox.door}/x`, { method: 'POST', headers });
    const answer = whole(sent);
    sent.end(Buffer.alloc(8 * MEBIBYTE));
    expect(await answer).toMatchObject({ status: 413, text: 'too large', isBroken: false });
  });

  it('comes after informational responses, which go no further', async () => {
    answerRaw(
      [
        'HTTP/1.1 103 Early Hints\r\nLink: </evil.css>; rel=preload\r\n\r\n',
        'HTTP/1.1 102 Processing\r\n\r\n',
        'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
      ].join(''),
    );
    const request = beginGet();
    let early = 0;
    request.on('information', () => early++);
    expect(await whole(request)).toMatchObject({ status: 200, text: 'ok' });
    expect(early).toBe(0);
  });

  it('loses its trailers', async () => {
    answerRaw(
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '2\r\nok\r\n0\r\nSet-Cookie: a=b\r\n\r\n',
    );
    const text = await rawExchange(
      service.app.url,
      `GET ${sandbox.door}/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Access-Token: ${key}\r\n\r\n`,
    );
    expect(text).toMatch(/ok\r\n0\r\n\r\n$/);
    expect(text).not.toMatch(/set-cookie/i);
  });
});

describe('a response that breaks off', () => {
  const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n';

  it.each([
    ['with a length, closed', LENGTH, (socket: Socket) => void socket.end()],
    ['with a length, reset', LENGTH, (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 50)],
    ['with a length, silent', LENGTH, () => undefined],
    ['in chunks, closed', CHUNKED, (socket: Socket) => void socket.end()],
    ['in chunks, reset', CHUNKED, (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 50)],
    ['in chunks, silent', CHUNKED, () => undefined],
    ['in chunks, malformed', `${CHUNKED}zz\r\n`, () => undefined],
  ])('%s, is cut off', async (_how, bytes, then) => {
    answerRaw(bytes, then);
    const { status, isBroken } = await whole(beginGet());
    expect([status, isBroken]).toEqual([200, true]);
  });

  it('is reset for a caller of HTTP/1.0, to whom the end of the connection is the end of the response', async () => {
    answerRaw(CHUNKED, (socket) => void socket.end());
    const request = `GET ${sandbox.door}/x HTTP/1.0\r\nX-Access-Token: ${key}\r\n\r\n`;
    await expect(rawExchange(service.app.url, request)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('an agent server that gives no response', () => {
  it.each([
    ['closes', '', (socket: Socket) => void socket.destroy()],
    ['never answers', '', () => undefined],
    ['sends what is no HTTP', 'SSH-2.0-OpenSSH\r\n', () => undefined],
    ['sends headers without end', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}\r\n`, () => undefined],
    ['sends only hints', 'HTTP/1.1 103 Early Hints\r\n\r\n', () => undefined],
    [
      'is ambiguous',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      () => undefined,
    ],
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      () => undefined,
    ],
    [
      'sends two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      () => undefined,
    ],
  ])('and %s is a 503', async (_what, bytes, then) => {
    answerRaw(bytes, then);
    const { status, headers, body } = await get();
    expect([status, body.code]).toEqual([503, 'agent_server_unavailable']);
    expect(headers['retry-after']).toBeDefined();
    service.far.reset();
    expect((await get()).status).toBe(200);
  });

  it('because nobody listens is a 503, and its sandbox is looked at once more', async () => {
    const away = await service.sandbox({ baseUrl: 'http://127.0.0.1:9' });
    const ask = () => call<ErrorBody>(service.app, 'GET', `${away.door}/x`, { key });
    expect((await ask()).body.code).toBe('agent_server_unavailable');
    // Within the time for which the service remembers that it runs.
    await service.app.db.query(`UPDATE sandboxes SET status = 'PAUSED' WHERE id = $1`, [away.id]);
    expect((await ask()).body.code).toBe('sandbox_not_running');
  });

  it('because another user listens there gets not a byte', async () => {
    const received: Buffer[] = [];
    const foreign = createServer((socket) =>
      socket.on('data', (bytes) => received.push(bytes)).on('error', () => undefined),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const { port } = foreign.address() as AddressInfo;
    const uid = (process.getuid?.() ?? 0) + 1;
    const taken = await service.sandbox({ baseUrl: `http://127.0.0.1:${port}`, listenerUid: uid });
    const { status, body } = await call<ErrorBody>(service.app, 'GET', `${taken.door}/x`, { key });
    expect([status, body.code]).toEqual([503, 'agent_server_unavailable']);
    expect(received).toEqual([]);
    await new Promise((resolve) => foreign.close(resolve));
  });
});
