import { once } from 'node:events';
import { MEBIBYTE } from '../../../src/kernel/common';
import { begin, rawExchange, whole } from '../../support/sandbox-access/door-calls';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { RawClient, rawRequest } from '../../support/sandbox-access/raw-client';
import { standstill } from '../../support/sandbox-access/standstill';
import { eventually } from '../../support/eventually';
import { call, type ErrorBody } from '../../support/service/http';

let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  service = await DoorService.start();
  sandbox = await service.sandbox();
  ({ key } = service.owner);
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

/** Sends a request as bytes, on a connection that closes afterwards. */
const raw = (line: string, headers: readonly string[] = [], body = '') =>
  rawExchange(
    service.app.url,
    [line, 'Host: service', 'Connection: close', `X-Access-Token: ${key}`, ...headers, '', body].join('\r\n'),
  );

describe('a request', () => {
  it('keeps its method, path, query, headers and body, byte for byte', async () => {
    const raw = Buffer.from([0, 255, 13, 10, 128, ...Buffer.from('äöü')]);
    const answer = await call(service.app, 'PATCH', `${sandbox.door}/a//b/%7Ec;d=%C3%A9?x=%2F&y=a+b&&z`, {
      key,
      raw,
      headers: {
        'Content-Type': 'application/x-thing',
        'X-OpenHands-ServerConversation-ID': '7',
        Range: 'bytes=0-1',
      },
    });
    expect(answer.status).toBe(200);
    const { method, url, headers, body } = service.far.last;
    expect([method, url, body]).toEqual(['PATCH', '/a//b/%7Ec;d=%C3%A9?x=%2F&y=a+b&&z', raw]);
    expect(headers).toMatchObject({
      ...{
        'content-type': 'application/x-thing',
        'x-openhands-serverconversation-id': '7',
        range: 'bytes=0-1',
      },
      host: new URL(service.far.url).host,
    });
  });

  it('to the door itself is for the root of the agent server', async () => {
    for (const [path, url] of [
      ['', '/'],
      ['/', '/'],
      ['?a=1', '/?a=1'],
    ] as const) {
      expect((await call(service.app, 'GET', sandbox.door + path, { key })).status).toBe(200);
      expect(service.far.last.url).toBe(url);
    }
  });

  it('carries nothing of what proxies in front say of who signed in', async () => {
    const names = [
      'X-Forwarded-Access-Token',
      'X-Auth-Request-Access-Token',
      'X-Amzn-Oidc-Accesstoken',
      'Cf-Access-Jwt-Assertion',
      'X-Goog-Iap-Jwt-Assertion',
      'X-Forwarded-User',
      'X-Client-Ip',
      'Impersonate-User',
      'Impersonate-Extra-Scopes',
      'X-Remote-User',
      'X-Remote-Group',
    ];
    await raw(
      `GET ${sandbox.door}/x HTTP/1.1`,
      names.map((name) => `${name}: of-the-proxy`),
    );
    expect(service.far.last.rawHeaders).not.toContain('of-the-proxy');
  });

  it('carries the id that its response has, and nothing of the caller, the way or the connection', async () => {
    const answer = await raw(`GET ${sandbox.door}/x HTTP/1.1`, [
      ...[
        'Connection: keep-alive, X-Mine',
        'X-Mine: 1',
        'TE: trailers',
        'Keep-Alive: timeout=5',
        'Cookie: a=b',
      ],
      ...[
        'Proxy-Authorization: Basic eA==',
        'Origin: https://evil.example',
        'Referer: https://a/?session_api_key=k',
      ],
      'X-Forwarded-For: 10.0.0.1',
      'Forwarded: for=10.0.0.1',
      'Via: 1.1 a',
      'X-Org-Id:',
      'X-Other: kept',
    ]);
    const [, id] = /^x-request-id: (.*)\r$/m.exec(answer) ?? [];
    const { rawHeaders } = service.far.last;
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(['connection', 'host', 'x-other', 'x-request-id', 'x-session-api-key']);
    expect(service.far.last.headers).toMatchObject({ 'x-request-id': id, connection: 'keep-alive' });
  });

  it('is passed while it still comes, no faster than the agent server reads', async () => {
    let arrived = 0;
    let isReading = false;
    service.far.answerEarly = (request, response) => {
      const read = () => {
        if (!isReading) return;
        request.on('data', (chunk: Buffer) => (arrived += chunk.length));
        clearInterval(poll);
      };
      const poll = setInterval(read, 5);
      request.on('end', () => response.end(String(arrived)));
    };
    const headers = { 'X-Access-Token': key, 'Content-Length': 64 * MEBIBYTE };
    const sent = begin(`${service.app.url}${sandbox.door}/upload`, { method: 'POST', headers });
    const answer = whole(sent);
    let written = 0;
    const chunk = Buffer.alloc(MEBIBYTE);
    const write = (): void => {
      while (written < 64 && sent.write(chunk)) written++;
      if (written === 64) sent.end();
      else {
        written++;
        sent.once('drain', write);
      }
    };
    write();
    // The kernel's buffers and a little of ours fill up; then nothing more is taken.
    const most = 32 * MEBIBYTE;
    expect(await standstill(service.app.url, () => sent.socket?.bytesWritten ?? 0, most)).toBeLessThan(most);
    isReading = true;
    expect(await answer).toMatchObject({ status: 200, text: String(64 * MEBIBYTE) });
  });

  it('without a length goes on whole, and its trailers do not', async () => {
    await raw(
      `POST ${sandbox.door}/x HTTP/1.1`,
      ['Transfer-Encoding: chunked', 'Trailer: X-Late'],
      '3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Late: yes\r\n\r\n',
    );
    const { headers, body, trailers } = service.far.last;
    expect([body.toString(), trailers, headers.trailer]).toEqual(['abcdefg', {}, undefined]);
  });

  it('that is ambiguous about its length is refused', async () => {
    const answer = await raw(
      `POST ${sandbox.door}/x HTTP/1.1`,
      ['Transfer-Encoding: chunked', 'Content-Length: 3'],
      '0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(service.far.received).toEqual([]);
  });

  it('whose body has another transfer coding than chunks is a 501, and does not go on', async () => {
    const answer = await raw(
      `POST ${sandbox.door}/x HTTP/1.1`,
      ['Transfer-Encoding: gzip, chunked'],
      '3\r\nabc\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 501 /);
    expect(answer).toContain('"code":"transfer_coding_unknown"');
    expect(service.far.received).toEqual([]);
  });

  it('that waits to be asked for its body is asked once it may pass, and not before', async () => {
    const ask = (token: string) => {
      const headers = { 'X-Access-Token': token, Expect: '100-continue', 'Content-Length': 5 };
      return begin(`${service.app.url}${sandbox.door}/x`, { method: 'POST', headers });
    };
    const allowed = ask(key);
    allowed.flushHeaders();
    await once(allowed, 'continue');
    const answer = whole(allowed);
    allowed.end('hello');
    expect((await answer).status).toBe(200);
    expect([service.far.last.body.toString(), service.far.last.headers.expect]).toEqual(['hello', undefined]);
    const refused = ask('wrong');
    let wasAsked = false;
    refused.on('continue', () => (wasAsked = true));
    refused.flushHeaders();
    expect((await whole(refused)).status).toBe(401);
    expect(wasAsked).toBe(false);
  });

  it('is given up at the agent server when its caller goes', async () => {
    let isGone = false;
    service.far.answer = (request) => request.socket.once('close', () => (isGone = true));
    const sent = begin(`${service.app.url}${sandbox.door}/x`, { headers: { 'X-Access-Token': key } });
    sent.end();
    await eventually(() => expect(service.far.received).toHaveLength(1));
    sent.destroy();
    await eventually(() => expect(isGone).toBe(true));
  });

  it('is given up at the agent server when its caller ends its half of the connection', async () => {
    let isGone = false;
    service.far.answer = (request) => request.socket.once('close', () => (isGone = true));
    const client = await RawClient.connect(service.app.url);
    client.socket.write(rawRequest(`GET ${sandbox.door}/x`, [`X-Access-Token: ${key}`]));
    await eventually(() => expect(service.far.received).toHaveLength(1));
    client.socket.end();
    await client.closed();
    await eventually(() => expect(isGone).toBe(true));
  });

  it('whose caller goes in the middle of the body breaks off at the agent server too', async () => {
    let state = 'not there';
    service.far.answerEarly = (request) => {
      state = 'begun';
      request
        .on('data', () => undefined)
        .on('end', () => (state = 'complete'))
        .on('error', () => (state = 'broken'));
    };
    const headers = { 'X-Access-Token': key, 'Content-Length': 100 };
    const sent = begin(`${service.app.url}${sandbox.door}/x`, { method: 'POST', headers });
    sent.write('x');
    await eventually(() => expect(state).toBe('begun'));
    sent.destroy();
    await eventually(() => expect(state).toBe('broken'));
  });
});

describe('what does not pass', () => {
  it.each(['TRACE', 'PROPFIND'])('%s is a 405', async (method) => {
    const answer = await raw(`${method} ${sandbox.door}/x HTTP/1.1`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^Allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r$/m);
    expect(service.far.received).toEqual([]);
  });

  it('CONNECT is closed', async () => {
    expect(await raw('CONNECT 127.0.0.1:22 HTTP/1.1')).toBe('');
  });

  it('an upgrade to anything but WebSocket is left aside, here and elsewhere, and the request answered', async () => {
    const headers = {
      'X-Access-Token': key,
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'A',
    };
    const sent = await call(service.app, 'POST', `${sandbox.door}/x`, { headers, raw: '{"a": 1}' });
    expect(sent.status).toBe(200);
    const { headers: passed, body } = service.far.last;
    expect([passed.upgrade, passed['http2-settings'], body.toString()]).toEqual([
      undefined,
      undefined,
      '{"a": 1}',
    ]);
    const made = await call<{ name: string }>(service.app, 'POST', '/api/keys', {
      headers,
      body: { name: 'Java' },
    });
    expect([made.status, made.body.name]).toEqual([200, 'Java']);
  });
});

describe('a path', () => {
  it.each([
    ...[
      '/..',
      '/../x',
      '/a/../x',
      '/a/..',
      '/a/..?x',
      '/%2e%2e/x',
      '/%2E./x',
      '/a/.%2e/x',
      '/..%2fx',
      '/a%2f..%2fx',
    ],
    '/a%5c..%5cx',
    '/a\\..\\x',
    '/%252e%252e/x',
    '/%25252e%25252e%25252fx',
    '/..;a=b/x',
    '/a/..%3bx/y',
    '/%c0%ae%c0%ae/x',
    '/%2e%00%2e/x',
    '/x%00',
    '/.%09./x',
    '/a/%2e%2e',
    '/x%2f%2e%2e',
    '/#/x',
    '/%ff',
  ])('%s is a 400', async (path) => {
    const answer = await raw(`GET ${sandbox.door}${path} HTTP/1.1`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/path_not_passable|request_malformed/);
    expect(service.far.received).toEqual([]);
  });

  it.each([
    '/...',
    '/a..b',
    '/..a/x',
    '/a/.hidden',
    '/%2e%2ea',
    '/a%2fb',
    '/%25',
    '/a/./b',
    '/%e2%80%a5',
    '/x?p=../..',
  ])('%s passes as it is', async (path) => {
    expect(await raw(`GET ${sandbox.door}${path} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(service.far.last.url).toBe(path);
  });

  it('stays below the path that the agent server has at its address', async () => {
    const prefixed = await service.sandbox({ baseUrl: `${service.far.url}/agents/7` });
    await call(service.app, 'GET', `${prefixed.door}/api/x?y=1`, { key });
    expect(service.far.last.url).toBe('/agents/7/api/x?y=1');
    const climbing = await call<ErrorBody>(service.app, 'GET', `${prefixed.door}/%2e%2e/8/api/x`, { key });
    expect([climbing.status, climbing.body.code]).toEqual([400, 'path_not_passable']);
  });

  it('in absolute form is a 400', async () => {
    expect(await raw(`GET http://service${sandbox.door}/x HTTP/1.1`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
