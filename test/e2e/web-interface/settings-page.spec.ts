import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE, signInByForm } from '../../support/web-interface/browser-cookie';

const KEY = /ocs_[0-9A-Za-z]{38}/;

let service: TestApp;
let caller: TestCaller;
let cookie: string;
beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => service.close());
beforeEach(async () => {
  caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
  cookie = await signInByForm(service, caller.key);
});

const open = (Cookie = cookie) => call<string>(service, 'GET', '/settings', { headers: { Cookie } });
const send = (
  fields: Record<string, string>,
  headers: Record<string, string> = { ...FROM_OWN_PAGE, Cookie: cookie },
) =>
  call<string>(service, 'POST', '/settings', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });
const keysOf = async (key: string) =>
  (await call<{ id: number; name: string; org_id: string | null }[]>(service, 'GET', '/api/keys', { key }))
    .body;
const CREDENTIAL = {
  action: 'keep-credential',
  url_prefix: 'https://github.com/acme',
  username: 'x-access-token',
  password: 'ghp_example',
};
const credentials = async () =>
  (await call<{ credentials: { id: string }[] }>(service, 'GET', '/api/v1/git/credentials', caller)).body
    .credentials;

describe('the settings page, without the web interface', () => {
  it('is for who is signed in', async () => {
    const { status, headers } = await call(service, 'GET', '/settings');
    expect([status, headers.location]).toEqual([302, '/login?returnTo=%2Fsettings']);
    const page = await open();
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).toContain(caller.email);
    expect(page.body).not.toContain('href="/settings/llm"');
  });

  it('makes a key, which works and is shown this once', async () => {
    const made = await send({ action: 'make-key', name: 'Laptop', days: '30', reach: 'all' });
    const [key = ''] = KEY.exec(made.body) ?? [];
    expect(made.status).toBe(200);
    const [, own] = await keysOf(key);
    expect(own).toMatchObject({ name: 'Laptop', org_id: null, expires_at: expect.any(String) as string });
    const again = await open();
    expect(again.body).toContain('Laptop');
    expect(again.body).not.toMatch(KEY);
    await send({ action: 'make-key', name: 'Here', days: '', reach: 'one' });
    expect((await keysOf(caller.key))[2]).toMatchObject({ org_id: caller.orgId, expires_at: null });
  });

  it('revokes keys of its person only', async () => {
    const [old, foreign] = [
      await makeKey(service.db, caller.userId),
      await makeKey(service.db, (await makeUser(service.db)).id),
    ];
    const { status, headers } = await send({ action: 'revoke-key', id: String(old.id) });
    expect([status, headers.location]).toEqual([303, '/settings']);
    expect((await keysOf(caller.key)).map(({ id }) => id)).toEqual([caller.keyId]);
    const refused = await send({ action: 'revoke-key', id: String(foreign.id) });
    expect([refused.status, refused.body]).toEqual([404, expect.stringContaining('no key with this id')]);
  });

  it('shows the signed-in browsers, and ends them', async () => {
    const other = await signInByForm(service, caller.key);
    const page = await open();
    expect(page.body).toContain('This browser');
    const ids = [...page.body.matchAll(/name="id" value="(\d+)" \/>\s*<button[^>]*>End</g)].map(
      ([, id]) => id!,
    );
    expect(ids).toHaveLength(2);
    await send({ action: 'end-session', id: ids[0]! });
    expect((await open(other)).status).toBe(302);
    expect((await open()).status).toBe(200);
  });

  it('keeps git credentials, and deletes them', async () => {
    expect((await send(CREDENTIAL)).status).toBe(303);
    const [kept] = await credentials();
    expect(kept).toMatchObject({ url_prefix: 'https://github.com/acme', username: 'x-access-token' });
    const page = await open();
    expect(page.body).toContain('https://github.com/acme');
    expect(page.body).not.toContain('ghp_example');
    expect((await send({ action: 'delete-credential', id: kept!.id })).status).toBe(303);
    expect(await credentials()).toEqual([]);
  });

  it.each([
    ['an address that is none', { url_prefix: 'nowhere' }, 'Its address: '],
    ['a user name with a colon', { username: 'a:b' }, 'Its user name: it must not have a colon'],
    ['a user name that is too long', { username: 'a'.repeat(256) }, 'at most 255 characters'],
    ['no password', { password: '' }, 'Its password: it must not be empty'],
  ])('says what is wrong with a credential: %s', async (_, change, sentence) => {
    const { status, body } = await send({ ...CREDENTIAL, ...change });
    expect([status, body]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await credentials()).toEqual([]);
  });

  it('has the button that signs out', async () => {
    expect((await open()).body).toMatch(/<form method="post" action="\/logout">/);
  });

  it('sends who signed in more than an hour ago to sign in again, and back', async () => {
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '61 minutes'");
    const { status, headers } = await send(CREDENTIAL);
    expect([status, headers.location]).toEqual([303, '/login?again=yes&returnTo=%2Fsettings']);
    expect(await credentials()).toEqual([]);
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['who does not say', {}],
  ])('takes no form of %s', async (_, headers) => {
    expect((await send(CREDENTIAL, { ...headers, Cookie: cookie })).status).toBe(403);
    expect(await credentials()).toEqual([]);
  });

  it('makes no key that reaches further than that of the session', async () => {
    const other = await makeOrg(service.db);
    await makeMember(service.db, other.id, 'member', { id: caller.userId, email: caller.email, name: null });
    const bound = await makeKey(service.db, caller.userId, { orgId: other.id });
    const Cookie = await signInByForm(service, bound.key);
    expect((await open(Cookie)).body).not.toContain('name="reach"');
    const fields = { action: 'make-key', name: 'X', days: '', reach: 'all' };
    const refused = await send(fields, { ...FROM_OWN_PAGE, Cookie });
    expect([refused.status, refused.body]).toEqual([403, expect.not.stringMatching(KEY)]);
  });

  describe('with a key that can do less', () => {
    const TITLES = ['keys-title', 'sessions-title', 'git-title'];
    const titlesOf = (body: string) => TITLES.filter((title) => body.includes(`id="${title}"`));
    const signInWith = async (fields: Parameters<typeof makeKey>[2]) =>
      signInByForm(service, (await makeKey(service.db, caller.userId, fields)).key);

    it('shows no section that the operations refuse, and does as little', async () => {
      expect((await send(CREDENTIAL)).status).toBe(303);
      const [before, [kept]] = [await keysOf(caller.key), await credentials()];
      const Cookie = await signInWith({ scopes: ['view_audit_log'] });
      const page = await open(Cookie);
      expect([page.status, titlesOf(page.body)]).toEqual([200, []]);
      const [, session] = /name="id" value="(\d+)" \/>\s*<button[^>]*>End</.exec((await open()).body)!;
      // Of long ago, too: who signs in again with this key may do no more.
      await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '61 minutes'");
      const forms: [string, Record<string, string>][] = [
        ['manage_api_keys', { action: 'make-key', name: 'X', days: '30' }],
        ['manage_api_keys', { action: 'revoke-key', id: String(caller.keyId) }],
        ['manage_api_keys', { action: 'end-session', id: session! }],
        ['manage_application_settings', { ...CREDENTIAL, url_prefix: 'https://gitlab.com' }],
        ['manage_application_settings', { action: 'delete-credential', id: kept!.id }],
      ];
      for (const [scope, fields] of forms) {
        const { status, body } = await send(fields, { ...FROM_OWN_PAGE, Cookie });
        expect([status, titlesOf(body)]).toEqual([403, []]);
        expect(body).toContain(`This key lacks the scope ${scope}`);
      }
      expect((await keysOf(caller.key)).length).toBe(before.length + 1);
      expect((await credentials()).map(({ id }) => id)).toEqual([kept!.id]);
      const whole = await open();
      expect([whole.status, titlesOf(whole.body)]).toEqual([200, TITLES]);
    });

    it('shows those that its scopes allow', async () => {
      const Cookie = await signInWith({ scopes: ['manage_application_settings'] });
      expect(titlesOf((await open(Cookie)).body)).toEqual(['git-title']);
      expect((await send(CREDENTIAL, { ...FROM_OWN_PAGE, Cookie })).status).toBe(303);
      expect(await credentials()).toHaveLength(1);
    });
  });

  it('is below the path of PUBLIC_URL', async () => {
    const below = await startTestApp({
      env: { APP_ROLE: 'api', PUBLIC_URL: 'http://127.0.0.1:3000/agents' },
      database: service.database,
    });
    const { headers } = await call(below, 'GET', '/settings');
    expect(headers.location).toBe('/agents/login?returnTo=%2Fagents%2Fsettings');
    const login = await call<string>(below, 'GET', '/login?returnTo=%2Fagents%2Fsettings');
    expect(login.body).toContain('action="/agents/login"');
    expect(login.body).toContain('value="/agents/settings"');
    await below.close();
  });
});
