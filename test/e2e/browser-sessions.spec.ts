import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { BrowserSessions } from '../../src/accounts/api-keys';
import { Authentication } from '../../src/kernel/auth';
import { digestOf } from '../../src/kernel/common';
import { startTestApp, type TestApp } from '../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  type TestCaller,
  type TestKey,
} from '../support/service/factories';
import { call, type CallOptions } from '../support/service/http';
import { answerWithin } from '../support/awake-clock';

interface SessionBody {
  readonly id: number;
  readonly api_key_id: number;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };
const DAY_MS = 24 * 3_600_000;

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

const newCaller = async (): Promise<TestCaller> => makeCaller(app.db, (await makeOrg(app.db)).id);
const signIn = async ({ key }: Pick<TestKey, 'key'>, userAgent = 'A browser'): Promise<string> => {
  const verified = await app.app.get(Authentication).userOfKey(key, new IncomingMessage(new Socket()));
  return app.app.get(BrowserSessions).start(verified, userAgent);
};
const cookie = (token: string) => ({ Cookie: `ocs_session=${token}` });
const withCookie = (
  method: string,
  path: string,
  token: string,
  headers: CallOptions['headers'] = OWN_PAGE,
) => call(app, method, path, { headers: { ...cookie(token), ...headers } });
const authenticate = async (token: string, headers?: CallOptions['headers']) =>
  (await withCookie('POST', '/api/authenticate', token, headers)).status;
const list = async (headers: Readonly<Record<string, string>>) =>
  (await call<SessionBody[]>(app, 'GET', '/api/sessions', { headers })).body;

describe('a session', () => {
  it('stands for the key it was started with: its user, its organization, its limits', async () => {
    const { orgId, userId } = await newCaller();
    const bound = await makeKey(app.db, userId, { orgId });
    const response = await withCookie('GET', '/api/keys/current', await signIn(bound));
    expect(response).toMatchObject({
      status: 200,
      body: { id: bound.id, bound_org_id: orgId, user_id: userId },
    });
    const byKey = await call(app, 'GET', '/api/keys/current', { key: bound.key });
    expect(Number(byKey.headers['ratelimit-remaining'])).toBe(
      Number(response.headers['ratelimit-remaining']) - 1,
    );
  });

  it('is kept as a digest only, and its token is no key', async () => {
    const token = await signIn(await newCaller());
    const [row] = await app.db.query<Record<string, unknown>[]>(
      'SELECT * FROM browser_sessions WHERE digest = $1',
      [digestOf(token)],
    );
    expect(JSON.stringify(row)).not.toContain(token);
    expect((await call(app, 'GET', '/api/keys', { key: token })).status).toBe(401);
  });

  it('is not what a key in a cookie is, not even right after the key was used', async () => {
    const { key } = await newCaller();
    expect((await call(app, 'GET', '/api/keys', { key })).status).toBe(200);
    expect(await authenticate(key)).toBe(401);
  });

  it('ends with its key, its user and a membership that its key is bound to', async () => {
    const { orgId, userId, key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const [first, second] = [await makeKey(app.db, userId), await makeKey(app.db, userId)];
    const [ofFirst, ofSecond] = [await signIn(first), await signIn(second)];
    expect([await authenticate(ofFirst), await authenticate(ofSecond)]).toEqual([200, 200]);
    await call(app, 'DELETE', `/api/keys/${first.id}`, { key });
    expect([await authenticate(ofFirst), await authenticate(ofSecond)]).toEqual([401, 200]);

    const member = await makeMember(app.db, orgId);
    const ofMember = await signIn(await makeKey(app.db, member.id, { orgId }));
    expect(await authenticate(ofMember)).toBe(200);
    await call(app, 'DELETE', `/api/organizations/${orgId}/members/${member.id}`, { key });
    expect(await authenticate(ofMember)).toBe(401);

    await app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
    // Past what this replica has cached.
    const replica = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    const headers = { ...cookie(ofSecond), ...OWN_PAGE };
    expect((await call(replica, 'POST', '/api/authenticate', { headers })).status).toBe(401);
    await replica.close();
  });

  it('ends on every replica within a second of the end of its key', async () => {
    const caller = await newCaller();
    const token = await signIn(caller);
    const replica = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    const headers = { ...cookie(token), ...OWN_PAGE };
    const statusThere = async () => (await call(replica, 'POST', '/api/authenticate', { headers })).status;
    expect(await statusThere()).toBe(200);
    await call(app, 'DELETE', `/api/keys/${caller.keyId}`, { key: caller.key });
    expect(await answerWithin(1_000, statusThere, (status) => status === 401)).toBe(401);
    await replica.close();
  });

  it('ends when it was idle for 30 days, and use keeps it', async () => {
    const token = await signIn(await newCaller());
    const [row] = await app.db.query<{ id: number }[]>('SELECT id FROM browser_sessions WHERE digest = $1', [
      digestOf(token),
    ]);
    const usedBefore = (days: number) =>
      app.db.query('UPDATE browser_sessions SET last_used_at = $1 WHERE id = $2', [
        new Date(Date.now() - days * DAY_MS),
        row?.id,
      ]);
    await usedBefore(29.9);
    expect(await authenticate(token)).toBe(200);
    const [{ last }] = await app.db.query<[{ last: Date }]>(
      'SELECT last_used_at AS last FROM browser_sessions WHERE id = $1',
      [row?.id],
    );
    expect(Date.now() - last.getTime()).toBeLessThan(DAY_MS);
    await usedBefore(30.1);
    const replica = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    const headers = { ...cookie(token), ...OWN_PAGE };
    expect((await call(replica, 'POST', '/api/authenticate', { headers })).status).toBe(401);
    await replica.close();
  });

  it('is one of at most a hundred of a key: the one used least recently ends', async () => {
    const caller = await newCaller();
    const first = await signIn(caller);
    for (let more = 0; more < 100; more++) await signIn(caller);
    expect(await authenticate(first)).toBe(401);
    expect(await list({ 'X-Access-Token': caller.key })).toHaveLength(100);
  });
});

describe('the cookie of a session', () => {
  let token: string;
  let key: string;
  beforeAll(async () => {
    const caller = await newCaller();
    key = caller.key;
    token = await signIn(caller);
  });
  const host = () => new URL(app.url).host;

  it.each([
    ['a page of the service', 'POST', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
    ['a page of the service', 'GET', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['the address bar', 'GET', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }, 200],
    ['nobody knows what', 'POST', { 'Sec-Fetch-Site': 'none' }, 401],
    ['a page of another site', 'POST', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['a page of another site', 'GET', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['a page of another port or subdomain', 'POST', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['a page of another port or subdomain', 'GET', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['a browser over plain http, reading', 'GET', {}, 200],
    ['who does not say', 'POST', {}, 401],
    ['a page of another origin, over plain http', 'POST', { Origin: 'http://evil.example' }, 401],
    ['a page of another origin, over plain http', 'GET', { Origin: 'http://evil.example' }, 401],
    ['a page that hides its origin', 'POST', { Origin: 'null' }, 401],
    ['a host of a similar name', 'POST', { Origin: 'http://127.0.0.1:1' }, 401],
  ] as const)('sent by %s with %s %j: %i', async (_, method, headers, expected) => {
    const path = method === 'GET' ? '/api/sessions' : '/api/authenticate';
    expect((await withCookie(method, path, token, headers)).status).toBe(expected);
  });

  it('counts for the origin of PUBLIC_URL, and for the host that the browser called', async () => {
    expect(await authenticate(token, { Origin: 'http://127.0.0.1:3000' })).toBe(200);
    expect(await authenticate(token, { Origin: `http://${host()}` })).toBe(200);
    expect(await authenticate(token, { Origin: 'http://lan.example:3000', Host: 'lan.example:3000' })).toBe(
      200,
    );
  });

  it('never counts beside a credential in a header, whether that one works or not', async () => {
    for (const wrong of [
      { 'X-Access-Token': 'ocs_wrong' },
      { 'X-Access-Token': '' },
      { Authorization: 'Bearer ocs_wrong' },
      { 'X-Session-API-Key': 'wrong' },
    ])
      expect(await authenticate(token, { ...OWN_PAGE, ...wrong })).toBe(401);
    const other = await newCaller();
    const { body } = await withCookie('GET', '/api/keys/current', token, {
      ...OWN_PAGE,
      'X-Access-Token': other.key,
    });
    expect(body).toMatchObject({ user_id: other.userId });
  });

  it('counts beside a password that a reverse proxy asks for', async () => {
    expect(await authenticate(token, { ...OWN_PAGE, Authorization: 'Basic dTpw' })).toBe(200);
  });

  it.each([
    ['planted after', (own: string, other: string) => `ocs_session=${own}; ocs_session=${other}`],
    ['planted before', (own: string, other: string) => `ocs_session=${other}; ocs_session=${own}`],
    ['planted empty', (own: string) => `ocs_session=; ocs_session=${own}`],
    ['planted twice the same', (own: string) => `ocs_session=${own}; ocs_session=${own}`],
  ])('does not count when another of its name was %s', async (_, cookies) => {
    const attacker = await signIn(await newCaller());
    expect(await authenticate('', { ...OWN_PAGE, Cookie: cookies(token, attacker) })).toBe(401);
  });

  it('is found among others, and not in one whose name only ends like it', async () => {
    expect(await authenticate('', { ...OWN_PAGE, Cookie: `a=b; ocs_session=${token}; c=d` })).toBe(200);
    expect(await authenticate('', { ...OWN_PAGE, Cookie: `my_ocs_session=${token}` })).toBe(401);
    expect(await authenticate('', { ...OWN_PAGE, Cookie: `__Host-ocs_session=${token}` })).toBe(401);
    expect((await call(app, 'GET', '/api/keys', { key })).status).toBe(200);
  });
});

describe('the cookie of a service behind https', () => {
  it('counts under its name with the prefix only', async () => {
    const service = await startTestApp({
      env: { APP_ROLE: 'api', PUBLIC_URL: 'https://agents.example.com' },
      database: app.database,
    });
    const token = await signIn(await newCaller());
    const status = async (name: string) =>
      (
        await call(service, 'POST', '/api/authenticate', {
          headers: { ...OWN_PAGE, Cookie: `${name}=${token}` },
        })
      ).status;
    expect([await status('__Host-ocs_session'), await status('ocs_session')]).toEqual([200, 401]);
    await service.close();
  });
});

describe('the cookie of a service with CORS_ORIGINS', () => {
  it('does not count for pages of these origins either', async () => {
    const listed = 'https://app.example.com';
    const service = await startTestApp({
      env: { APP_ROLE: 'api', CORS_ORIGINS: listed },
      database: app.database,
    });
    const Cookie = `ocs_session=${await signIn(await newCaller())}`;
    for (const headers of [
      { Cookie, Origin: listed },
      { Cookie, Origin: listed, 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const response = await call(service, 'GET', '/api/sessions', { headers });
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([401, listed]);
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    }
    await service.close();
  });
});

describe('GET and DELETE /api/sessions', () => {
  it("list and end sessions of one's own, and tell which one asks", async () => {
    const caller = await newCaller();
    const [here, there] = [await signIn(caller, 'Here'), await signIn(caller, 'There')];
    const own = await list({ ...cookie(here), ...OWN_PAGE });
    expect(own.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
      ['There', false],
      ['Here', true],
    ]);
    expect(await list({ 'X-Access-Token': caller.key })).toMatchObject([
      { api_key_id: caller.keyId, is_current: false },
      { api_key_id: caller.keyId, is_current: false },
    ]);
    const path = `/api/sessions/${own[0]?.id ?? ''}`;
    expect(await withCookie('DELETE', path, here)).toMatchObject({
      status: 200,
      body: { message: 'The session was ended.' },
    });
    expect([await authenticate(here), await authenticate(there)]).toEqual([200, 401]);
    expect((await withCookie('DELETE', path, here)).status).toBe(404);
  });

  it('do not reach sessions of others, nor with a bound key those of keys bound elsewhere', async () => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const token = await signIn(caller);
    const [session] = await list({ 'X-Access-Token': caller.key });
    const end = (key: string, id: number | string = session?.id ?? '') =>
      call(app, 'DELETE', `/api/sessions/${id}`, { key });
    expect(await list({ 'X-Access-Token': other.key })).toEqual([]);
    expect(await end(other.key)).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
    const bound = await makeKey(app.db, caller.userId, { orgId: caller.orgId });
    expect((await end(bound.key)).status).toBe(404);
    for (const id of ['x', '0', '99999999999999999999']) expect((await end(caller.key, id)).status).toBe(404);
    expect(await authenticate(token)).toBe(200);
  });
});
