import { rm } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { exactGet } from '../../support/web-interface/exact-get';
import { APP_SCRIPT, makeSmallInterface } from '../../support/web-interface/small-interface';

const SCRIPT = '/assets/app-1a2b.js';

let folder: string;
let service: TestApp;
beforeAll(async () => {
  folder = await makeSmallInterface();
  service = await startTestApp({ env: { APP_ROLE: 'api' }, webInterface: folder });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });

describe('a file of the web interface', () => {
  it('is kept by browsers for good where its name has a digest, and asked for again elsewhere', async () => {
    const script = await get(SCRIPT);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    for (const path of ['/locales/en/app.json', '/favicon.svg'])
      expect((await get(path)).headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ] as const)('comes for Accept-Encoding: %s as %s', async (accepted, coding) => {
    const response = await exactGet(service, SCRIPT, { 'Accept-Encoding': accepted });
    expect(response.headers['content-encoding'] ?? null).toBe(coding);
    expect(response.headers.vary).toContain('Accept-Encoding');
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, none: (body: Buffer) => body };
    expect(decode[coding ?? 'none'](response.body).toString()).toBe(APP_SCRIPT);
  });

  it('answers HEAD, ranges and conditions as HTTP has them', async () => {
    const head = await get(SCRIPT, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(APP_SCRIPT.length),
      '',
    ]);
    const part = await get(SCRIPT, { Range: 'bytes=0-6' });
    expect([part.status, await part.text()]).toEqual([206, 'console']);
    const end = await get(SCRIPT, { Range: 'bytes=-3' });
    expect([end.status, await end.text()]).toEqual([206, APP_SCRIPT.slice(-3)]);
    const beyond = await get(SCRIPT, { Range: `bytes=${APP_SCRIPT.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
      416,
      `bytes */${APP_SCRIPT.length}`,
    ]);
    const tag = head.headers.get('etag') ?? '';
    const known = await exactGet(service, SCRIPT, { 'If-None-Match': tag });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    expect((await exactGet(service, SCRIPT, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('may have any characters in its name', async () => {
    for (const path of ['/assets/a~b-3c4d.css', '/assets/a%7Eb-3c4d.css'])
      expect((await get(path)).status).toBe(200);
  });

  it.each([
    '/assets/missing.js',
    '/assets/',
    '/assets',
    '/mockServiceWorker.js',
    '/index.html',
    '/LICENSE',
    '/assets/..%2f..%2findex.html',
    '/assets/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/assets/%2e%2e/%2e%2e/index.html',
    '/assets/../../LICENSE',
    '/assets/..%5c..%5cLICENSE',
    '/assets/app-1a2b.js%00.css',
    '//assets/app-1a2b.js/',
    '/%66iles/favicon.svg',
  ])('is not at %s: 404 as for every unknown path', async (path) => {
    const response = await exactGet(service, path);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toMatchObject({ code: 'path_not_found' });
  });

  it('is for reading', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get(SCRIPT, {}, method)).status).toBe(404);
  });
});

describe('what is no part of the web interface', () => {
  it('is answered as without it', async () => {
    const { key } = await makeCaller(service.db, (await makeOrg(service.db)).id);
    expect((await call(service, 'GET', '/api/keys', { key })).status).toBe(200);
    expect((await call(service, 'GET', '/api/keys')).status).toBe(401);
    for (const path of ['/alive', '/ready', '/metrics', '/server_info', '/openapi.json', '/docs'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    for (const path of ['/api', '/api/unknown', '/api/v1/settings/unknown', '/elsewhere', '/assetsx'])
      expect(await call(service, 'GET', path, { key })).toMatchObject({
        status: 404,
        headers: { 'content-type': expect.stringContaining('application/json') as string },
        body: { code: 'path_not_found' },
      });
  });
});

describe('the page at / of a service without a web interface', () => {
  it('links to the API, and says how to get a key and the interface', async () => {
    const without = await startTestApp({ env: { APP_ROLE: 'api' }, database: service.database });
    const { status, headers, body } = await call<string>(without, 'GET', '/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of ['href="/docs"', 'key:issue', 'npm run web:install']) expect(body).toContain(part);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await call(without, 'GET', '/login')).status).toBe(200);
    expect((await call(without, 'GET', '/conversations')).status).toBe(404);
    await without.close();
  });
});
