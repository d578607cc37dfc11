import { rm } from 'node:fs/promises';
import { AuthCaches } from '../../../src/kernel/auth';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { approve, beginLogin, poll, sendPageForm } from '../../support/device-login/device';
import { letIn } from '../../support/sign-in/link-credentials';
import { FROM_OWN_PAGE, signInByForm } from '../../support/web-interface/browser-cookie';
import { makeSmallInterface } from '../../support/web-interface/small-interface';

const PAGE = '/oauth/device/verify';
const DECISION = '/oauth/device/verify-authenticated';
/** As likely that of a login as any other: one in 20⁸. */
const WRONG = 'XXXX-ZZZZ';

let folder: string;
let service: TestApp;
let caller: TestCaller;
let cookie: string;
let addresses = 0;
/** An address of its own for each test, as a reverse proxy tells it. */
let from: Record<string, string>;
beforeAll(async () => {
  folder = await makeSmallInterface();
  service = await startTestApp({ env: { APP_ROLE: 'api', TRUSTED_HOPS: '1' }, webInterface: folder });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  caller = await makeCaller(service.db, (await makeOrg(service.db, { name: 'Acme' })).id);
  cookie = await signInByForm(service, caller.key);
  from = { ...FROM_OWN_PAGE, 'X-Forwarded-For': `203.0.113.${++addresses}` };
});

const open = (query = '', Cookie = cookie) =>
  call<string>(service, 'GET', PAGE + query, { headers: { Cookie, Accept: 'text/html' } });
const enter = (user_code: string, Cookie = cookie, headers = from) =>
  sendPageForm(service, Cookie, PAGE, { user_code }, headers);
const decided = async () =>
  (await service.db.query<{ n: number }[]>('SELECT count(decided_at)::int AS n FROM device_logins'))[0]!.n;

describe('the page for the code of a device', () => {
  it('is for who is signed in, and comes back with the code', async () => {
    for (const query of ['', '?user_code=wdjbmjht', '?user_code=%22%3E%3Cscript%3E']) {
      const { status, headers } = await call(service, 'GET', PAGE + query);
      const back = query === '?user_code=wdjbmjht' ? `${PAGE}?user_code=WDJB-MJHT` : PAGE;
      expect([status, headers.location]).toEqual([302, `/login?returnTo=${encodeURIComponent(back)}`]);
    }
    const posted = await enter('WDJB-MJHT', '');
    expect([posted.status, posted.headers.location]).toEqual([
      303,
      `/login?returnTo=${encodeURIComponent(`${PAGE}?user_code=WDJB-MJHT`)}`,
    ]);
  });

  it('is the service’s own where the web interface is served, which nobody frames and no cache keeps', async () => {
    const { status, headers, body } = await open();
    expect([status, headers['cache-control'], headers['x-frame-options']]).toEqual([200, 'no-store', 'DENY']);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(body).toContain('<h1>Sign a device in</h1>');
    expect(body).toContain(caller.email);
    expect(body).not.toContain('<title>Small</title>');
    expect((await open('/')).body).toContain('<h1>Sign a device in</h1>');
  });

  it('has the code of a link filled in, and looks nothing up before somebody goes on', async () => {
    const { user_code } = await beginLogin(service, { client_id: 'Acme command line' });
    const { body } = await open(`?user_code=${user_code}`);
    expect(body).toContain(`value="${user_code}"`);
    expect(body).not.toContain('Acme command line');
    for (let time = 0; time < 12; time++)
      expect((await open(`?user_code=${WRONG}`)).body).toContain(`value="${WRONG}"`);
    expect((await enter(user_code)).status).toBe(200);
    const nonsense = await open('?user_code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E');
    expect([nonsense.status, nonsense.body]).toEqual([200, expect.stringContaining('role="alert"')]);
    expect(nonsense.body).not.toContain('<script>alert');
  });

  it('takes a code in whatever case, with and without hyphens', async () => {
    const { user_code } = await beginLogin(service);
    for (const text of [
      user_code.toLowerCase(),
      user_code.replace('-', ''),
      ` ${user_code.replace('-', ' ')} `,
    ])
      expect([text, (await enter(text)).status]).toEqual([text, 200]);
  });
});

describe('the page for the decision', () => {
  it('says who asks, from where, for what, and what one can choose', async () => {
    const other = await makeOrg(service.db, { name: 'Zeta & <Sons>' });
    await makeMember(service.db, other.id, 'member', { id: caller.userId, email: caller.email, name: null });
    const scope = 'use_conversations manage_webhooks';
    const { body: login } = await call<{ user_code: string }>(service, 'POST', '/oauth/device/authorize', {
      body: { client_id: 'Acme command line', scope },
      headers: { 'X-Forwarded-For': '198.51.100.7', 'User-Agent': 'acme/1.0 (Linux)' },
    });
    const { status, body } = await enter(login.user_code);
    expect(status).toBe(200);
    for (const part of [
      'Acme command line',
      '198.51.100.7',
      'acme/1.0 (Linux)',
      caller.email,
      login.user_code,
      'start and use your conversations',
      'manage webhooks',
      'If somebody sent you the code',
      `<option value="${caller.orgId}" selected>Acme</option>`,
      `<option value="${other.id}">Zeta &amp; &lt;Sons&gt;</option>`,
      '<option value="all">',
      '<option value="90" selected>',
      '<option value="">',
    ])
      expect(body).toContain(part);
    expect(body).not.toContain('all that you may');
  });

  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['safe\u202Eelif\u2066\u200B\n\u0007\u2028x', 'safe elif x'],
    ['\u0000\uD800', 'one that does not say what it is called'],
    ['😀'.repeat(100), '😀'.repeat(100)],
    ['${7*7} {{7*7}} &amp;', '${7*7} {{7*7}} &amp;amp;'],
  ])('shows the name of a client as a name: %j', async (client_id, shown) => {
    const { body: login } = await call<{ user_code: string; device_code: string }>(
      service,
      'POST',
      '/oauth/device/authorize',
      { body: { client_id }, headers: { 'User-Agent': client_id.replaceAll(/[^ -~]/g, '') } },
    );
    const { status, body } = await enter(login.user_code);
    expect([status, body]).toEqual([200, expect.stringContaining(shown)]);
    expect(body).not.toMatch(/<img|<script>alert|[\u0000\u0007\u200B\u202E\u2066\u2028]/);
    await approve(service, cookie, login, { organization: caller.orgId });
    const { body: token } = await poll(service, login);
    expect(token.access_token).toMatch(/^ocs_/);
  });

  it('comes again with what lacks, and decides nothing by it', async () => {
    const { user_code } = await beginLogin(service);
    const before = await decided();
    for (const fields of [
      {},
      { decision: 'yes' },
      { decision: 'approve' },
      { decision: 'approve', organization: 'no-id', days: '30' },
      { decision: 'approve', organization: caller.orgId, days: '31' },
    ]) {
      const { status, body } = await sendPageForm(service, cookie, DECISION, { user_code, ...fields }, from);
      expect([status, body]).toEqual([422, expect.stringContaining('Choose an organization')]);
    }
    expect(await decided()).toBe(before);
  });

  it('refuses a form of another site, and one of nobody', async () => {
    const login = await beginLogin(service);
    const { user_code } = login;
    const before = await decided();
    const sent = { user_code, decision: 'approve', organization: caller.orgId, days: '30' };
    for (const foreign of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      {},
    ])
      for (const path of [PAGE, DECISION] as const) {
        const { status, body } = await sendPageForm(service, cookie, path, sent, foreign);
        expect([status, body]).toEqual([403, expect.stringContaining('Not from here')]);
      }
    const nobody = await sendPageForm(service, 'ocs_session=', DECISION, sent, from);
    expect([nobody.status, nobody.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/login\?returnTo=/),
    ]);
    expect(await decided()).toBe(before);
    expect((await poll(service, login)).body.error).toBe('authorization_pending');
  });

  it('takes no organization of somebody else', async () => {
    const login = await beginLogin(service);
    const foreign = await makeOrg(service.db);
    const { status, body } = await approve(service, cookie, login, { organization: foreign.id });
    expect([status, body]).toEqual([403, expect.stringContaining('not a member')]);
    expect((await poll(service, login)).body.error).toBe('authorization_pending');
  });
});

describe('who may approve', () => {
  it('signed in within the last hour: others sign in again, and come back with the code', async () => {
    const login = await beginLogin(service);
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '2 hours'");
    service.app.get(AuthCaches).clear();
    const again = `/login?again=yes&returnTo=${encodeURIComponent(`${PAGE}?user_code=${login.user_code}`)}`;
    expect((await enter(login.user_code)).headers.location).toBe(again);
    const { status, headers } = await approve(service, cookie, login, { organization: caller.orgId });
    expect([status, headers.location]).toEqual([303, again]);
    expect((await poll(service, login)).body.error).toBe('authorization_pending');
  });

  it('came by themselves, and not by the link of an administrator', async () => {
    const admin = await makeCaller(service.db, caller.orgId, 'owner');
    const { session } = await letIn(service, admin, caller.userId);
    const login = await beginLogin(service);
    const { Cookie = '' } = session;
    for (const response of [
      await enter(login.user_code, Cookie),
      await approve(service, Cookie, login, { organization: caller.orgId }),
    ])
      expect([response.status, response.body]).toEqual([
        403,
        expect.stringContaining('link of an administrator'),
      ]);
    expect((await poll(service, login)).body.error).toBe('authorization_pending');
  });

  it('gives no more than the key can do that they signed in with', async () => {
    const scoped = async (scopes: string[]) => {
      const { id, key } = await makeKey(service.db, caller.userId);
      await service.db.query('UPDATE api_keys SET scopes = $2 WHERE id = $1', [id, scopes]);
      return signInByForm(service, key);
    };
    const maker = await scoped(['manage_api_keys', 'use_conversations']);
    const all = await beginLogin(service, {});
    expect((await enter(all.user_code, maker)).body).toContain('start and use your conversations');
    await approve(service, maker, all, { organization: caller.orgId });
    expect((await poll(service, all)).body.scope).toBe('manage_api_keys use_conversations');
    const more = await beginLogin(service, { scope: 'view_org_settings use_conversations' });
    await approve(service, maker, more, { organization: caller.orgId });
    expect((await poll(service, more)).body.scope).toBe('use_conversations');
    const other = await beginLogin(service, { scope: 'view_org_settings' });
    expect((await enter(other.user_code, maker)).status).toBe(403);
    const reader = await scoped(['use_conversations']);
    expect((await enter(other.user_code, reader)).status).toBe(403);
    expect((await approve(service, reader, other, { organization: caller.orgId })).status).toBe(403);
  });
});

it('the key of a device counts from the addresses of the key that its person signed in with', async () => {
  const { id, key } = await makeKey(service.db, caller.userId);
  const signedIn = await signInByForm(service, key);
  await service.db.query(`UPDATE api_keys SET address_ranges = '{127.0.0.0/8}' WHERE id = $1`, [id]);
  service.app.get(AuthCaches).clear();
  const login = await beginLogin(service);
  expect((await approve(service, signedIn, login, { organization: caller.orgId })).status).toBe(200);
  const made = (await poll(service, login)).body.access_token ?? '';
  const statusFrom = async (address: string) =>
    (await call(service, 'GET', '/api/keys/current', { key: made, headers: { 'X-Forwarded-For': address } }))
      .status;
  expect([await statusFrom('127.0.0.1'), await statusFrom('203.0.113.9')]).toEqual([200, 401]);
});

describe('wrong codes', () => {
  it('are ten of a user in ten minutes, wherever they are, and right ones do not count', async () => {
    const { user_code } = await beginLogin(service);
    for (let time = 0; time < 10; time++) {
      expect((await enter(user_code)).status).toBe(200);
      const { status, body } = await enter(WRONG);
      expect([status, body]).toEqual([400, expect.stringContaining('This code does not work')]);
    }
    const elsewhere = { ...from, 'X-Forwarded-For': `203.0.113.${++addresses}` };
    for (const [code, headers] of [
      [WRONG, from],
      [user_code, from],
      [user_code, elsewhere],
    ] as const) {
      const { status, headers: answered } = await enter(code, cookie, headers);
      expect([status, Number(answered['retry-after'])]).toEqual([429, expect.any(Number)]);
      expect(Number(answered['retry-after'])).toBeGreaterThan(500);
    }
    await service.db.query("UPDATE device_code_tries SET ends_at = now() - interval '1 second'");
    expect((await enter(user_code)).status).toBe(200);
  });

  it('are ten of an address, whoever enters them', async () => {
    const { user_code } = await beginLogin(service);
    const others = await Promise.all(
      [1, 2, 3].map(async () => signInByForm(service, (await makeCaller(service.db, caller.orgId)).key)),
    );
    for (let time = 0; time < 10; time++) expect((await enter(WRONG, others[time % 2])).status).toBe(400);
    expect((await enter(user_code, others[2])).status).toBe(429);
    const decision = await sendPageForm(service, others[2]!, DECISION, { user_code, decision: 'deny' }, from);
    expect(decision.status).toBe(429);
    expect((await enter(user_code, others[2], { ...from, 'X-Forwarded-For': '203.0.113.250' })).status).toBe(
      200,
    );
  });

  it('are ten, however many are entered at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => enter(WRONG)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((s) => s === 400).length, statuses.filter((s) => s === 429).length]).toEqual([
      10, 20,
    ]);
  });

  it('are none that cannot be codes', async () => {
    for (let time = 0; time < 12; time++) expect((await enter('not a code')).status).toBe(400);
    expect((await enter((await beginLogin(service)).user_code)).status).toBe(200);
  });
});

it('the log names who approved and which key came of it, and no code', async () => {
  const logged = await startTestApp({
    env: { APP_ROLE: 'api', LOG_LEVEL: 'trace' },
    database: service.database,
  });
  const lines: string[] = [];
  const written = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  try {
    const own = await signInByForm(logged, caller.key);
    const login = await beginLogin(logged, { client_id: 'Acme command line' });
    await call(logged, 'GET', `${PAGE}?user_code=${login.user_code}`, { headers: { Cookie: own } });
    await sendPageForm(logged, own, PAGE, { user_code: login.user_code });
    await sendPageForm(logged, own, PAGE, { user_code: WRONG });
    await approve(logged, own, login, { organization: caller.orgId });
    const { body } = await poll(logged, login);
    await poll(logged, login);
    const all = lines.join('');
    for (const secret of [
      login.device_code,
      login.user_code,
      login.user_code.replace('-', ''),
      body.access_token!,
    ])
      expect(all).not.toContain(secret);
    for (const what of ['The login of a device was approved', 'A device got a key'])
      expect(lines.find((line) => line.includes(what))).toContain(caller.userId);
  } finally {
    written.mockRestore();
    await logged.close();
  }
});
