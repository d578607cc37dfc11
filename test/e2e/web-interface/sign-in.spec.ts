import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { BrowserSessionVerifier } from '../../../src/accounts/api-keys';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE, signInByForm } from '../../support/web-interface/browser-cookie';
import { exactGet } from '../../support/web-interface/exact-get';
import { makeSmallInterface } from '../../support/web-interface/small-interface';

let folder: string;
let service: TestApp;
let caller: TestCaller;
beforeAll(async () => {
  folder = await makeSmallInterface();
  service = await startTestApp({ env: { APP_ROLE: 'api' }, webInterface: folder });
  caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const open = (path: string, headers: Record<string, string> = {}) =>
  call<string>(service, 'GET', path, { headers: { Accept: 'text/html', ...headers } });
const post = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = FROM_OWN_PAGE,
) =>
  call<string>(service, 'POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
const authenticate = async (cookie: string) =>
  (await call(service, 'POST', '/api/authenticate', { headers: { Cookie: cookie, ...FROM_OWN_PAGE } }))
    .status;

describe('a path of the web interface', () => {
  const PATHS = [
    ...[
      '/',
      '/conversations',
      '/conversations/task-1',
      '/conversations/1/panel',
      '/settings',
      '/settings/llm',
    ],
    '/launch',
    '/customize',
    '/skills',
    '/plugins',
    '/apps',
    '/extensions/a',
    '/mcp',
    '/skills/',
  ];

  it.each(PATHS)('%s leads to the sign-in page and back, for who is not signed in', async (path) => {
    const { status, headers } = await open(`${path}?a=b`);
    expect([status, headers.location, headers['cache-control']]).toEqual([
      302,
      `/login?returnTo=${encodeURIComponent(`${path}?a=b`)}`,
      'no-store',
    ]);
  });

  it.each(PATHS.filter((path) => path !== '/settings'))('%s is the index page, for who is', async (path) => {
    const { status, headers, body } = await open(path, { Cookie: await signInByForm(service, caller.key) });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>Small</title>');
  });

  it.each(['/settings', '/settings/', '/settings?org=x'])(
    '%s is a page of the service with links to all settings, for who is',
    async (path) => {
      const { status, headers, body } = await open(path, { Cookie: await signInByForm(service, caller.key) });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      for (const part of ['href="/settings/llm"', 'href="/settings/secrets"']) expect(body).toContain(part);
    },
  );

  it.each([
    ['unknown', 'ocs_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['empty', 'ocs_session='],
  ])('leads to the sign-in page for a session that is %s', async (_, cookie) => {
    expect((await open('/', { Cookie: cookie })).headers.location).toBe('/login');
  });
});

describe('a session that does not work', () => {
  const Cookie = 'ocs_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  it('has ended, says the sign-in page', async () => {
    const { status, body } = await open('/login?returnTo=/settings', { Cookie });
    expect([status, body]).toEqual([200, expect.stringContaining('Your session has ended.')]);
    expect(body).toContain('value="/settings"');
    for (const headers of [{}, { Cookie: 'ocs_session=' }])
      expect((await open('/login', headers)).body).not.toContain('has ended');
  });

  it('counts as a failed credential of its address at pages, too, and is not looked up for ever', async () => {
    const limited = await startTestApp({
      env: { APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '3' },
      webInterface: folder,
    });
    const asked = jest.spyOn(limited.app.get(BrowserSessionVerifier), 'verify');
    const look = (path: string, cookie: string) =>
      call(limited, 'GET', path, { headers: { Accept: 'text/html', Cookie: cookie } });
    for (let time = 0; time < 3; time++) {
      const wrong = `ocs_session=${'B'.repeat(42)}${time}`;
      for (const path of ['/', '/login', '/settings']) await look(path, wrong);
    }
    const before = asked.mock.calls.length;
    for (let time = 0; time < 5; time++) expect((await look('/', Cookie)).status).toBe(302);
    expect(asked.mock.calls.length - before).toBeLessThanOrEqual(1);
    const { key } = await makeCaller(limited.db, (await makeOrg(limited.db)).id);
    expect((await look('/settings', await signInByForm(limited, key))).status).toBe(200);
    await limited.close();
  });
});

describe('the index page', () => {
  it('is told where the back end is, who looks at it and in which organization, before its own scripts', async () => {
    const { body } = await open('/', { Cookie: await signInByForm(service, caller.key) });
    const head = body.slice(body.indexOf('<head>'), body.indexOf('<title>'));
    for (const part of [
      `data-user="${caller.userId}"`,
      `data-org="${caller.orgId}"`,
      '__AGENT_CANVAS_LOCK_TO_CLOUD__ = location.origin',
      '__AGENT_CANVAS_DO_NOT_TRACK__ = true',
    ])
      expect(head).toContain(part);
    const { userId } = caller;
    const bound = await makeKey(service.db, userId, { orgId: caller.orgId });
    expect((await open('/', { Cookie: await signInByForm(service, bound.key) })).body).toContain(
      `data-org="${caller.orgId}"`,
    );
  });

  it('has a policy with the digest of each of its scripts, and may be framed by nobody', async () => {
    const { headers, body } = await open('/', { Cookie: await signInByForm(service, caller.key) });
    const policy = String(headers['content-security-policy']);
    const scripts = [...body.matchAll(/<script(?![^>]*src)[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text);
    expect(scripts).toHaveLength(3);
    for (const text of scripts)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it('leads to agent servers through the service alone, where nothing else is set', async () => {
    const { headers } = await open('/', { Cookie: await signInByForm(service, caller.key) });
    expect(headers['content-security-policy']).toMatch(/connect-src 'self'(;|$)/);
  });

  it('is asked for again each time, compressed, and not sent again when it is the same', async () => {
    const cookie = await signInByForm(service, caller.key);
    const sent = { Cookie: cookie, 'Accept-Encoding': 'gzip, br' };
    const { headers, body } = await exactGet(service, '/', sent);
    expect([headers['cache-control'], headers['content-encoding'], headers.vary]).toEqual([
      'private, no-cache',
      'br',
      expect.stringContaining('Cookie'),
    ]);
    expect(brotliDecompressSync(body).toString()).toContain('<title>Small</title>');
    const again = await exactGet(service, '/', { ...sent, 'If-None-Match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const other = await makeCaller(service.db, (await makeOrg(service.db)).id);
    const others = await exactGet(service, '/', {
      Cookie: await signInByForm(service, other.key),
      'If-None-Match': String(headers.etag),
    });
    expect(others.status).toBe(200);
  });

  it('has no headers that browsers complain of, over connections that they do not trust', async () => {
    for (const path of ['/', '/login']) {
      const Cookie = await signInByForm(service, caller.key);
      const plain = await open(path, { Cookie });
      const trusted = await open(path, { Cookie, 'Sec-Fetch-Site': 'none' });
      const opener = 'cross-origin-opener-policy';
      expect([plain.headers[opener], trusted.headers[opener]]).toEqual([undefined, 'same-origin']);
      expect((await open(path)).headers[opener]).toBeUndefined();
    }
  });

  it('may report that somebody signed in, of which nothing is kept', async () => {
    const report = (headers: Record<string, string>) =>
      call(service, 'POST', '/api/analytics/events', { body: { event_type: 'x' }, headers });
    const Cookie = await signInByForm(service, caller.key);
    expect((await report({ Cookie, ...FROM_OWN_PAGE })).status).toBe(204);
    expect((await report({})).status).toBe(401);
  });

  it('is told that there are no automations', async () => {
    const Cookie = await signInByForm(service, caller.key);
    const ask = (path: string, headers: Record<string, string>) => call(service, 'GET', path, { headers });
    const health = await ask('/api/automation/health', { Cookie, ...FROM_OWN_PAGE });
    expect([health.status, health.body]).toEqual([200, { status: 'unavailable' }]);
    const version = await ask('/api/automation/sdk-version', { Cookie, ...FROM_OWN_PAGE });
    expect([version.status, version.body]).toEqual([200, { sdk_version: null }]);
    expect((await ask('/api/automation/health', {})).status).toBe(401);
  });

  it('is shown to who follows a link on another site', async () => {
    const Cookie = await signInByForm(service, caller.key);
    expect((await open('/conversations/1', { Cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
  });
});

describe('signing in', () => {
  it('takes a key, gives a cookie that scripts cannot read, and goes back', async () => {
    const { status, headers } = await post('/login', { key: ` ${caller.key} `, returnTo: '/settings?a=b' });
    expect([status, headers.location, headers['cache-control']]).toEqual([303, '/settings?a=b', 'no-store']);
    const [cookie] = headers['set-cookie']!;
    expect(cookie).toMatch(/^ocs_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(await authenticate(cookie!.split(';', 1)[0]!)).toBe(200);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/.//evil.example',
    '/\t/evil.example',
  ])('never goes to %j', async (returnTo) => {
    expect((await post('/login', { key: caller.key, returnTo })).headers.location).toBe('/');
    const page = await open(`/login?returnTo=${encodeURIComponent(returnTo)}`);
    expect(page.body).toContain('name="returnTo" value="/"');
  });

  it('says that a key does not work, and keeps where to go on', async () => {
    const { status, headers, body } = await post('/login', { key: 'ocs_wrong', returnTo: '/settings' });
    expect([status, headers['set-cookie']]).toEqual([403, undefined]);
    expect(body).toContain('This key does not work.');
    expect(body).toContain('value="/settings"');
    expect(body).not.toContain('ocs_wrong');
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another port of the host', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin, over plain http', { Origin: 'http://evil.example' }],
    ['who hides it', { Origin: 'null' }],
    ['who does not say', {}],
  ])('and out are refused to %s, so that nobody is signed in as somebody else', async (_, headers) => {
    const cookie = await signInByForm(service, caller.key);
    const refused = await post('/login', { key: caller.key }, headers);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await post('/logout', {}, { ...headers, Cookie: cookie })).status).toBe(403);
    expect(await authenticate(cookie)).toBe(200);
  });

  it('ends the session that the browser had', async () => {
    const first = await signInByForm(service, caller.key);
    await post('/login', { key: caller.key }, { ...FROM_OWN_PAGE, Cookie: first });
    expect(await authenticate(first)).toBe(401);
  });

  it('takes forms only, and no large ones', async () => {
    const json = { ...FROM_OWN_PAGE, 'Content-Type': 'application/json' };
    expect((await call(service, 'POST', '/login', { raw: '{}', headers: json })).status).toBe(415);
    expect((await post('/login', { key: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('is shown on a page that nobody frames or keeps, with who is signed in', async () => {
    const { status, headers, body } = await open('/login?returnTo=/settings');
    expect(status).toBe(200);
    expect([headers['cache-control'], headers['x-frame-options']]).toEqual(['no-store', 'DENY']);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(body).not.toContain('Sign out');
    const again = await open('/login?returnTo=/settings', {
      Cookie: await signInByForm(service, caller.key),
    });
    for (const part of [caller.email, 'href="/settings"', 'Sign out']) expect(again.body).toContain(part);
  });

  it('is limited as all credentials of an address that do not work', async () => {
    const limited = await startTestApp({
      env: { APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '3' },
      webInterface: folder,
    });
    const form = (key: string) =>
      call<string>(limited, 'POST', '/login', {
        raw: new URLSearchParams({ key }).toString(),
        headers: { ...FROM_OWN_PAGE, 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt++) statuses.push((await form('ocs_wrong')).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
    const { key } = await makeCaller(limited.db, (await makeOrg(limited.db)).id);
    expect((await form(key)).status).toBe(303);
    await limited.close();
  });
});

describe('signing out', () => {
  it('ends the session and takes the cookie away', async () => {
    const cookie = await signInByForm(service, caller.key);
    const { status, headers } = await post('/logout', {}, { ...FROM_OWN_PAGE, Cookie: cookie });
    expect([status, headers.location]).toEqual([303, '/login']);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^ocs_session=; Path=\/; Max-Age=0;/)]);
    expect(await authenticate(cookie)).toBe(401);
    expect((await open('/', { Cookie: cookie })).headers.location).toBe('/login');
  });
});

describe('a service behind https', () => {
  it('gives a cookie that browsers take over https from the host itself only', async () => {
    const secure = await startTestApp({
      env: { APP_ROLE: 'api', PUBLIC_URL: 'https://agents.example.com' },
      database: service.database,
      webInterface: folder,
    });
    const { headers } = await call(secure, 'POST', '/login', {
      raw: new URLSearchParams({ key: caller.key }).toString(),
      headers: { Origin: 'https://agents.example.com', 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-ocs_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    await secure.close();
  });
});
