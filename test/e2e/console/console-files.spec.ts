import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { signInByForm } from '../../support/web-interface/browser-cookie';

const BUILT = join(__dirname, '..', '..', '..', 'console', 'dist', 'files');
const ADDRESS = /(?:href|src)="([^"]+)"/g;

describe('the console, as it is served', () => {
  let service: TestApp;
  let cookie: string;
  beforeAll(async () => {
    service = await startTestApp({
      env: { APP_ROLE: 'api', PUBLIC_URL: 'http://agents.test/team' },
      hasConsole: true,
    });
    const caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
    cookie = await signInByForm(service, caller.key);
  });
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    call<string>(service, 'GET', path, { headers });
  const open = (path: string) => get(path, { Cookie: cookie });

  it.each(['/console', '/console/', '/console/7c9e6679-7425-40de-944b-e07fc1f90ae7/people?page=2'])(
    'at %s sends who is not signed in to the sign-in page, which leads back',
    async (path) => {
      const { status, headers } = await get(path);
      const back = encodeURIComponent(`/team${path}`);
      expect([status, headers.location]).toEqual([302, `/team/login?returnTo=${back}`]);
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('is one page, which no cache keeps for others and no other page frames', async () => {
    const { status, headers, body } = await open('/console/people');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers['vary']).toContain('Cookie');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(body).toContain('data-base="/team"');
  });

  it('has a policy without inline code, and connects to the service alone', async () => {
    const { headers, body } = await open('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(body).not.toMatch(/<style|<script(?![^>]* src=)|style="|\son[a-z]+="/);
  });

  it('loads files with a digest in their names, compressed and kept for ever, without a sign-in', async () => {
    const { body } = await open('/console');
    const files = [...body.matchAll(ADDRESS)].map(([, address = '']) => address.replace('/team', ''));
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const { status, headers } = await get(file, { 'Accept-Encoding': 'br' });
      expect([file, status, headers['content-encoding']]).toEqual([file, 200, 'br']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('asks for no more than 170 kB of scripts for the first page', async () => {
    const { body } = await open('/console');
    const scripts = [...body.matchAll(ADDRESS)].flatMap(([, address = '']) =>
      address.endsWith('.js') ? [join(BUILT, address.slice('/team/console'.length))] : [],
    );
    const bytes = scripts.reduce((sum, file) => sum + statSync(`${file}.gz`).size, 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(170_000);
  });

  it.each([
    '/console/assets/none.js',
    '/console/assets/../index.html',
    '/console/extensions/none.js',
    '/consoles',
  ])('answers %s with 404', async (path) => {
    expect((await open(path)).status).toBe(404);
  });

  it('is for reading only', async () => {
    expect((await call(service, 'POST', '/console', { headers: { Cookie: cookie } })).status).toBe(404);
  });

  it('is named by the start page', async () => {
    expect((await get('/')).body).toContain('<a href="/team/console">');
  });
});
