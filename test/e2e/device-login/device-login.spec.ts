import { KeyPolicies, type WantedKey } from '../../../src/accounts/api-keys';
import { AuthCaches } from '../../../src/kernel/auth';
import { AppError } from '../../../src/kernel/common';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import {
  approve,
  type BegunLogin,
  beginLogin,
  poll,
  sendOAuth,
  sendPageForm,
  type TokenAnswer,
} from '../../support/device-login/device';
import { runNow } from '../../support/service/recurring-jobs';
import { signInByForm } from '../../support/web-interface/browser-cookie';

const DAY_S = 86_400;
const KEY = /^ocs_[0-9A-Za-z]{38}$/;
const DENIED = '/oauth/device/verify-authenticated';

let service: TestApp;
let caller: TestCaller;
let cookie: string;
beforeAll(async () => (service = await startTestApp({ env: { PUBLIC_URL: 'http://agents.test' } })));
afterAll(() => service.close());
beforeEach(async () => {
  caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
  cookie = await signInByForm(service, caller.key);
});

const here = () => ({ organization: caller.orgId });
const errorOf = async (login: BegunLogin) => {
  const { status, body } = await poll(service, login);
  return [status, body.error];
};
/** Has the login be as long ago. */
const age = (login: BegunLogin, seconds: number) =>
  service.db.query(
    `UPDATE device_logins SET expires_at = expires_at - $2 * interval '1 second',
            last_polled_at = last_polled_at - $2 * interval '1 second'
      WHERE device_code_digest = encode(sha256($1::text::bytea), 'hex')`,
    [login.device_code, seconds],
  );
const keyOf = async (login: BegunLogin) => (await poll(service, login)).body.access_token ?? '';
const keysOf = async ({ userId }: TestCaller) =>
  (
    await service.db.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM api_keys WHERE user_id = $1',
      [userId],
    )
  )[0]!.count;

describe('a login of a device', () => {
  it('goes from two codes over a person who approves to a key that works', async () => {
    const { status, headers, body } = await sendOAuth<BegunLogin>(service, 'authorize', {
      client_id: 'Acme command line',
    });
    expect([status, headers['cache-control'], body]).toEqual([
      200,
      'no-store',
      {
        device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
        verification_uri: 'http://agents.test/oauth/device/verify',
        verification_uri_complete: `http://agents.test/oauth/device/verify?user_code=${body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    ]);
    const pending = await poll(service, body);
    expect([pending.status, pending.headers['cache-control']]).toEqual([400, 'no-store']);
    expect(pending.body).toEqual({
      error: 'authorization_pending',
      error_description: 'Nobody has approved this login yet.',
      detail: 'Nobody has approved this login yet.',
      code: 'authorization_pending',
    });
    const approved = await approve(service, cookie, body, here());
    expect([approved.status, approved.body]).toEqual([200, expect.stringContaining('<h1>Approved</h1>')]);
    const token = await poll(service, body);
    expect([token.status, token.headers['cache-control'], token.body]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(KEY) as string,
        token_type: 'Bearer',
        expires_in: expect.any(Number) as number,
      },
    ]);
    expect(Math.abs((token.body.expires_in ?? 0) - 90 * DAY_S)).toBeLessThan(60);
    const key = await call(service, 'GET', '/api/keys/current', {
      headers: { Authorization: `Bearer ${token.body.access_token ?? ''}` },
    });
    expect(key.body).toMatchObject({
      name: 'Acme command line',
      user_id: caller.userId,
      bound_org_id: caller.orgId,
    });
  });

  it('is taken as JSON, too, and without what clients leave out', async () => {
    const begun = await call<BegunLogin>(service, 'POST', '/oauth/device/authorize', { body: {} });
    expect(begun.status).toBe(200);
    const { device_code } = begun.body;
    for (const body of [{ device_code }, { device_code, grant_type: null, client_id: '' }]) {
      const asked = await call<TokenAnswer>(service, 'POST', '/oauth/device/token', { body });
      expect([asked.status, asked.body.error]).toEqual([400, expect.stringMatching(/pending|slow/)]);
    }
    const form = await sendOAuth<TokenAnswer>(service, 'token', { device_code });
    expect([form.status, form.body.error]).toEqual([400, 'slow_down']);
    await approve(service, cookie, begun.body, { ...here(), days: '' });
    const { body } = await poll(service, begun.body);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'token_type']);
    const current = await call<{ name: string }>(service, 'GET', '/api/keys/current', {
      key: body.access_token ?? '',
    });
    expect(current.body.name).toBe('Device login');
  });

  it('may be for all organizations of its person', async () => {
    const login = await beginLogin(service);
    await approve(service, cookie, login, { organization: 'all' });
    const key = await keyOf(login);
    expect((await call(service, 'GET', '/api/keys/current', { key })).body).toMatchObject({
      bound_org_id: null,
    });
  });

  it('gives its key once, to one of those who ask at the same time', async () => {
    const login = await beginLogin(service);
    await approve(service, cookie, login, here());
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(service, login)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    const refused = answers.filter(({ status }) => status === 400);
    expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(['invalid_grant']));
    expect(await errorOf(login)).toEqual([400, 'invalid_grant']);
    expect(await keysOf(caller)).toBe(2);
    expect((await approve(service, cookie, login, here())).status).toBe(400);
  });

  it('tells its device to slow down by five seconds each time it asks too early, up to thirty', async () => {
    const login = await beginLogin(service);
    expect(await errorOf(login)).toEqual([400, 'authorization_pending']);
    const intervals: unknown[] = [];
    for (let time = 0; time < 6; time++) intervals.push((await poll(service, login)).body.interval);
    expect(intervals).toEqual([10, 15, 20, 25, 30, 30]);
    await age(login, 29);
    expect(await errorOf(login)).toEqual([400, 'slow_down']);
    await age(login, 30);
    expect(await errorOf(login)).toEqual([400, 'authorization_pending']);
    await approve(service, cookie, login, here());
    expect((await poll(service, login)).status).toBe(200);
  });

  it('is over when it was denied', async () => {
    const login = await beginLogin(service);
    const { user_code } = login;
    const denied = await sendPageForm(service, cookie, DENIED, { user_code, decision: 'deny' });
    expect([denied.status, denied.body]).toEqual([200, expect.stringContaining('<h1>Denied</h1>')]);
    expect(await errorOf(login)).toEqual([400, 'access_denied']);
    expect((await approve(service, cookie, login, here())).status).toBe(400);
    expect(await errorOf(login)).toEqual([400, 'access_denied']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('expires after ten minutes, approved or not, and is forgotten ten minutes later', async () => {
    const [open, approved] = [await beginLogin(service), await beginLogin(service)];
    await approve(service, cookie, approved, here());
    for (const login of [open, approved]) {
      await age(login, 599);
      if (login === open) expect(await errorOf(login)).toEqual([400, 'authorization_pending']);
      await age(login, 1);
      expect(await errorOf(login)).toEqual([400, 'expired_token']);
    }
    expect((await approve(service, cookie, open, here())).status).toBe(400);
    for (const login of [open, approved]) await age(login, 601);
    await runNow(service.db, 'device-login-clean-up');
    for (const login of [open, approved]) expect(await errorOf(login)).toEqual([400, 'invalid_grant']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('keeps no code in the database, and none in the log of domain events', async () => {
    const login = await beginLogin(service);
    await approve(service, cookie, login, here());
    const key = await keyOf(login);
    const [row] = await service.db.query<[{ all: string }]>(
      `SELECT (SELECT json_agg(d) FROM device_logins d)::text || (SELECT json_agg(e) FROM domain_events e)::text AS all`,
    );
    for (const secret of [login.device_code, login.user_code, login.user_code.replace('-', ''), key])
      expect(row.all).not.toContain(secret);
    const events = await service.db.query<{ kind: string }[]>(
      `SELECT kind FROM domain_events WHERE event->>'user_id' = $1 AND kind LIKE 'api_key%'`,
      [caller.userId],
    );
    expect(events).toEqual([{ kind: 'api_key.created' }]);
  });
});

describe('a request of OAuth that is none', () => {
  it.each<[string, 'authorize' | 'token', Record<string, string>, string]>([
    ['another grant', 'token', { grant_type: 'password', device_code: 'x' }, 'unsupported_grant_type'],
    ['no code', 'token', {}, 'invalid_request'],
    ['an empty code', 'token', { device_code: '' }, 'invalid_request'],
    ['an unknown code', 'token', { device_code: 'unknown' }, 'invalid_grant'],
    ['a code with what no database stores', 'token', { device_code: '\u0000' }, 'invalid_grant'],
    ['a long name', 'authorize', { client_id: 'é'.repeat(101) }, 'invalid_request'],
    ['an unknown scope', 'authorize', { scope: 'use_conversations rule_the_world' }, 'invalid_scope'],
  ])('has a code: %s', async (_, path, fields, error) => {
    const { status, body } = await sendOAuth<TokenAnswer>(service, path, fields);
    expect([status, body.error, body.code]).toEqual([400, error, error]);
    expect(body.error_description).toMatch(/^\S.*\.$/);
  });

  it('is one of another client', async () => {
    const { device_code } = await beginLogin(service, { client_id: ' Acme ' });
    const other = await sendOAuth<TokenAnswer>(service, 'token', { device_code, client_id: 'Emca' });
    expect(other.body.error).toBe('invalid_grant');
    const same = await sendOAuth<TokenAnswer>(service, 'token', { device_code, client_id: 'Acme' });
    expect(same.body.error).toBe('slow_down');
  });

  it('is JSON with other types, and a body that is too large', async () => {
    const typed = await call(service, 'POST', '/oauth/device/token', { body: { device_code: 7 } });
    expect(typed.status).toBe(422);
    const { status } = await sendOAuth(service, 'token', { device_code: 'x'.repeat(20_000) });
    expect(status).toBe(413);
  });
});

describe('the key of a device', () => {
  const MAY = '/api/v1/app-conversations/search';
  const MAY_NOT = '/api/keys';

  it('can do what was asked for, and nothing else', async () => {
    const login = await beginLogin(service, { scope: 'use_conversations  view_org_settings' });
    await approve(service, cookie, login, here());
    const { body } = await poll(service, login);
    expect(body.scope).toBe('view_org_settings use_conversations');
    const key = body.access_token ?? '';
    expect((await call(service, 'GET', MAY, { key })).status).toBe(200);
    const refused = await call<ErrorBody>(service, 'GET', MAY_NOT, { key });
    expect([refused.status, refused.body.code]).toEqual([403, 'key_scope_missing']);
    const [row] = await service.db.query<[{ scopes: string[] }]>(
      'SELECT scopes FROM api_keys WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
      [caller.userId],
    );
    expect(row.scopes).toEqual(['view_org_settings', 'use_conversations']);
  });

  it('ends no later than what its person is signed in with', async () => {
    const expiresAt = new Date(Date.now() + 7 * DAY_S * 1_000);
    const short = await makeKey(service.db, caller.userId, { expiresAt });
    const login = await beginLogin(service);
    await approve(service, await signInByForm(service, short.key), login, { ...here(), days: '' });
    const { body } = await poll(service, login);
    expect(Math.abs((body.expires_in ?? 0) - 7 * DAY_S)).toBeLessThan(60);
  });

  it('ends no later than the organization has keys end', async () => {
    await service.db.query('INSERT INTO org_credential_rules (org_id, longest_key_days) VALUES ($1, 3)', [
      caller.orgId,
    ]);
    const login = await beginLogin(service);
    await approve(service, cookie, login, { ...here(), days: '365' });
    const { body } = await poll(service, login);
    expect(Math.abs((body.expires_in ?? 0) - 3 * DAY_S)).toBeLessThan(60);
  });

  it('is in the organization that its person is signed in to, where that is one', async () => {
    const other = await makeOrg(service.db);
    await makeMember(service.db, other.id, 'member', { id: caller.userId, email: caller.email, name: null });
    const bound = await makeKey(service.db, caller.userId, { orgId: caller.orgId });
    const confined = await signInByForm(service, bound.key);
    const login = await beginLogin(service);
    for (const organization of [other.id, 'all'])
      expect((await approve(service, confined, login, { organization })).status).toBe(403);
    expect((await approve(service, confined, login, here())).status).toBe(200);
    expect((await poll(service, login)).status).toBe(200);
  });
});

describe('the policy of an extension for keys', () => {
  it('holds for those of devices, when they are approved and when they are fetched', async () => {
    const { database } = service;
    const strict = await startTestApp({ env: { APP_ROLE: 'api' }, database });
    let longestDays = 40;
    const check = (_: unknown, { expiresAt }: WantedKey): Promise<void> => {
      const days = ((expiresAt?.getTime() ?? Infinity) - Date.now()) / 86_400_000;
      return days > longestDays
        ? Promise.reject(new AppError(403, 'too_long', 'Too long.'))
        : Promise.resolve();
    };
    strict.app.get(KeyPolicies).use({ check });
    try {
      const login = await beginLogin(strict);
      const refused = await approve(strict, cookie, login, { ...here(), days: '' });
      expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('Too long.')]);
      expect((await approve(strict, cookie, login, { ...here(), days: '30' })).status).toBe(200);
      longestDays = 20;
      expect((await poll(strict, login)).body.error).toBe('access_denied');
      longestDays = 40;
      expect((await poll(strict, login)).body.error).toBe('access_denied');
    } finally {
      await strict.close();
    }
  });
});

describe('who approved', () => {
  const approved = async (choice = here()) => {
    const login = await beginLogin(service);
    expect((await approve(service, cookie, login, choice)).status).toBe(200);
    return login;
  };

  it('was disabled meanwhile: there is no key', async () => {
    const login = await approved();
    await service.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [caller.userId]);
    expect(await errorOf(login)).toEqual([400, 'access_denied']);
    await service.db.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [caller.userId]);
    expect(await errorOf(login)).toEqual([400, 'access_denied']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('left the organization meanwhile: there is no key, nor when they come back', async () => {
    const login = await approved();
    await service.db.query('DELETE FROM org_members WHERE user_id = $1', [caller.userId]);
    expect(await errorOf(login)).toEqual([400, 'invalid_grant']);
    await makeMember(service.db, caller.orgId, 'member', {
      id: caller.userId,
      email: caller.email,
      name: null,
    });
    expect(await errorOf(login)).toEqual([400, 'invalid_grant']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('was signed in with a key that was revoked, or has expired, meanwhile: there is no key', async () => {
    const second = await makeKey(service.db, caller.userId);
    const revoked = await approved();
    await call(service, 'DELETE', `/api/keys/${caller.keyId}`, { key: second.key });
    expect(await errorOf(revoked)).toEqual([400, 'access_denied']);
    cookie = await signInByForm(service, second.key);
    const expired = await approved();
    await service.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [second.id]);
    expect(await errorOf(expired)).toEqual([400, 'access_denied']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('may make no keys any more: there is none', async () => {
    const login = await approved();
    await service.db.query(
      `WITH role AS (INSERT INTO org_roles (id, org_id, name, permissions)
                     VALUES (gen_random_uuid(), $1, 'Reader', '{view_org_settings}') RETURNING id)
       UPDATE org_members SET own_role_id = (SELECT id FROM role) WHERE user_id = $2`,
      [caller.orgId, caller.userId],
    );
    service.app.get(AuthCaches).clear();
    const other = await beginLogin(service);
    expect((await approve(service, cookie, other, here())).status).toBe(403);
    expect(await errorOf(login)).toEqual([400, 'access_denied']);
    expect(await keysOf(caller)).toBe(1);
  });

  it('signed out meanwhile: the device gets its key', async () => {
    const login = await approved();
    await service.db.query('DELETE FROM browser_sessions');
    expect((await poll(service, login)).status).toBe(200);
  });
});

describe('logins that wait', () => {
  it('are fifty of an address, until some are decided', async () => {
    await service.db.query('DELETE FROM device_logins');
    const logins: BegunLogin[] = [];
    for (let count = 0; count < 50; count++) logins.push(await beginLogin(service));
    const { status, headers, body } = await sendOAuth<ErrorBody>(service, 'authorize', {});
    expect([status, headers['retry-after'], body.code]).toEqual([429, '60', 'device_logins_exceeded']);
    await approve(service, cookie, logins[0]!, here());
    await beginLogin(service);
    await service.db.query('DELETE FROM device_logins');
  });

  it('are two hundred of an address with those that were decided about', async () => {
    await service.db.query(
      `INSERT INTO device_logins (id, device_code_digest, user_code_digest, address, counted_address, created_at, expires_at,
                                  interval_seconds, decided_at, is_approved)
       SELECT gen_random_uuid(), lpad(n::text, 64), lpad(n::text, 64), '127.0.0.1', '127.0.0.1', now(),
              now() + interval '1 minute', 5, now(), false
         FROM generate_series(1, 199) n`,
    );
    await beginLogin(service);
    const { status, body } = await sendOAuth<ErrorBody>(service, 'authorize', {});
    expect([status, body.code]).toEqual([429, 'device_logins_exceeded']);
    await service.db.query('DELETE FROM device_logins');
  });

  it('are ten thousand of all addresses', async () => {
    await service.db.query(
      `INSERT INTO device_logins (id, device_code_digest, user_code_digest, address, counted_address, created_at, expires_at,
                                  interval_seconds)
       SELECT gen_random_uuid(), lpad(n::text, 64), lpad(n::text, 64), n::text, n::text, now(), now() + interval '1 minute', 5
         FROM generate_series(1, 10000) n`,
    );
    const { status, body } = await sendOAuth<ErrorBody>(service, 'authorize', {});
    expect([status, body.code]).toEqual([429, 'device_logins_exceeded']);
    await service.db.query('DELETE FROM device_logins');
  });
});

it('where nobody signs in, devices cannot, and there is no page', async () => {
  const off = await startTestApp({ env: { APP_ROLE: 'api', WEB_UI: 'off' }, database: service.database });
  try {
    for (const path of ['authorize', 'token'] as const) {
      const { status, body } = await sendOAuth<ErrorBody>(off, path, { device_code: 'x' });
      expect([status, body.code]).toEqual([404, 'device_login_off']);
    }
    expect((await call(off, 'GET', '/oauth/device/verify')).status).toBe(404);
  } finally {
    await off.close();
  }
});

it('two replicas are one: begun at one, approved at the other, fetched from the first', async () => {
  const other = await startTestApp({ env: { APP_ROLE: 'api' }, database: service.database });
  try {
    const login = await beginLogin(service);
    expect((await poll(other, login)).body.error).toBe('authorization_pending');
    expect((await poll(service, login)).body.error).toBe('slow_down');
    const theirs = await signInByForm(other, caller.key);
    expect((await approve(other, theirs, login, here())).status).toBe(200);
    const answers = await Promise.all([poll(service, login), poll(other, login)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await keysOf(caller)).toBe(2);
  } finally {
    await other.close();
  }
});
