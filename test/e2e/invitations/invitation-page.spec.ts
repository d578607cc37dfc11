import type { IncomingHttpHeaders } from 'node:http';
import type { InvitationResponse } from '../../../src/accounts/invitations/record/invite.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call } from '../../support/service/http';
import { inviteOne, openPage, sendForm, tokenOf } from '../../support/invitations/invitations';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

const KEY = /ocs_[0-9A-Za-z]{38}/;

interface CurrentKey {
  readonly bound_org_id: string | null;
  readonly user_id: string;
}

async function owner(service: TestApp, orgName = 'Acme'): Promise<TestCaller> {
  return makeCaller(service.db, (await makeOrg(service.db, { name: orgName })).id, 'owner');
}

async function statusOf(service: TestApp, { id }: InvitationResponse): Promise<string> {
  const [row] = await service.db.query<[{ status: string }]>('SELECT status FROM invitations WHERE id = $1', [
    id,
  ]);
  return row.status;
}

/** The session that a page gives the browser, as the browser sends it. */
function cookieOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
}

/** Whose the session of a cookie is. */
async function currentKey(service: TestApp, Cookie: string, orgId = ''): Promise<CurrentKey> {
  const headers = { Cookie, ...FROM_OWN_PAGE, ...(orgId !== '' && { 'X-Org-Id': orgId }) };
  return (await call<CurrentKey>(service, 'GET', '/api/keys/current', { headers })).body;
}

let unique = 0;
const address = (): string => `new-user-${unique++}@example.com`;

describe('the page of an invitation', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => service.close());

  it('shows organization, role and inviter, no address to who has not signed in, and accepts nothing by being opened', async () => {
    const inviter = await owner(service, 'Acme & <Sons>');
    const made = await inviteOne(service, inviter, address(), 'admin');
    expect((await openPage(service, tokenOf(made))).body).toContain('An administrator</strong> invites you');
    await service.db.query(`UPDATE users SET name = 'Ada' WHERE id = $1`, [inviter.userId]);
    for (let i = 0; i < 3; i++) {
      const page = await openPage(service, tokenOf(made));
      expect(page.status).toBe(200);
      for (const text of ['Acme &amp; &lt;Sons&gt;', 'Admin</dd>', 'Ada</strong> invites you'])
        expect(page.body).toContain(text);
      for (const email of [inviter.email, made.email]) expect(page.body).not.toContain(email);
    }
    expect(await statusOf(service, made)).toBe('pending');
  });

  it('fetches nothing, runs no script, and tells no other site of the link', async () => {
    const made = await inviteOne(service, await owner(service), address());
    const { headers, body } = await openPage(service, tokenOf(made));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).not.toMatch(/<script|<img|<link|src=|https?:/);
  });

  it.each([
    ['expired', 410, 'has expired', `UPDATE invitations SET expires_at = now() WHERE id = $1`],
    ['revoked', 410, 'was revoked', `UPDATE invitations SET status = 'revoked' WHERE id = $1`],
    ['used', 410, 'was used', `UPDATE invitations SET status = 'accepted' WHERE id = $1`],
    [
      'gone with its organization',
      404,
      'does not work',
      'DELETE FROM organizations WHERE id = (SELECT org_id FROM invitations WHERE id = $1)',
    ],
    [
      'withdrawn',
      410,
      'no longer valid',
      'DELETE FROM org_members WHERE org_id = (SELECT org_id FROM invitations WHERE id = $1)',
    ],
  ])('says that an invitation is %s, and takes no form for it', async (_, status, text, sql) => {
    const made = await inviteOne(service, await owner(service), address());
    await service.db.query(sql, [made.id]);
    const page = await openPage(service, tokenOf(made));
    expect(page.status).toBe(status);
    expect(page.body).toContain(text);
    expect(page.body).not.toContain('<form');
    expect(await sendForm(service, { token: tokenOf(made), step: 'create', name: 'X' })).toMatchObject({
      status,
    });
  });

  it('says that the invited is a member already', async () => {
    const inviter = await owner(service);
    const made = await inviteOne(service, inviter, address());
    await makeMember(service.db, inviter.orgId, 'member', await makeUser(service.db, { email: made.email }));
    expect(await openPage(service, tokenOf(made))).toMatchObject({
      status: 200,
      body: expect.stringContaining('member already') as string,
    });
  });

  it.each(['', 'inv-x', `inv-${'0'.repeat(48)}`, '"><script>x</script>'])(
    'says that the link %j does not work',
    async (token) => {
      const page = await openPage(service, token);
      expect(page.status).toBe(404);
      expect(page.body).not.toContain('<script');
    },
  );

  describe('for somebody with an account', () => {
    it('accepts with their key, and shows none when theirs works there', async () => {
      const inviter = await owner(service);
      const user = await makeUser(service.db, { email: address() });
      const { key } = await makeKey(service.db, user.id);
      const made = await inviteOne(service, inviter, user.email);
      const page = await sendForm(service, { token: tokenOf(made), step: 'key', key: ` ${key} ` });
      expect(page.status).toBe(200);
      expect(page.body).not.toMatch(KEY);
      expect(await statusOf(service, made)).toBe('accepted');
      expect(await currentKey(service, cookieOf(page))).toMatchObject({
        user_id: user.id,
        bound_org_id: null,
      });
    });

    it('shows a new one, bound to the organization, when theirs works elsewhere only', async () => {
      const [inviter, elsewhere] = [await owner(service), await owner(service)];
      const { key } = await makeKey(service.db, elsewhere.userId, {
        orgId: elsewhere.orgId,
        expiresAt: new Date(Date.now() + 60_000),
      });
      const made = await inviteOne(service, inviter, elsewhere.email);
      const page = await sendForm(service, { token: tokenOf(made), step: 'key', key });
      const shown = KEY.exec(page.body)![0];
      const current = await call<CurrentKey>(service, 'GET', '/api/keys/current', { key: shown });
      expect(current.body).toMatchObject({ bound_org_id: inviter.orgId, user_id: elsewhere.userId });
      const [row] = await service.db.query<[{ expires: number }]>(
        'SELECT count(expires_at)::int AS expires FROM api_keys WHERE user_id = $1 AND org_id = $2',
        [elsewhere.userId, inviter.orgId],
      );
      expect(row.expires).toBe(1);
      expect(await currentKey(service, cookieOf(page))).toMatchObject({ bound_org_id: inviter.orgId });
    });

    it('shows one with the addresses of theirs, and the end and scopes that the organization asks for', async () => {
      const [inviter, elsewhere] = [await owner(service), await owner(service)];
      await service.db.query(
        `INSERT INTO org_credential_rules (org_id, longest_key_days, scopes_required) VALUES ($1, 30, true)`,
        [inviter.orgId],
      );
      await service.db.query(
        `UPDATE api_keys SET expires_at = now() + interval '1 day', scopes = '{invite_user_to_organization}' WHERE user_id = $1`,
        [inviter.userId],
      );
      const theirs = await makeKey(service.db, elsewhere.userId, {
        orgId: elsewhere.orgId,
        addressRanges: ['127.0.0.0/8'],
      });
      const made = await inviteOne(service, inviter, elsewhere.email);
      const page = await sendForm(service, { token: tokenOf(made), step: 'key', key: theirs.key });
      const shown = KEY.exec(page.body)![0];
      const { body } = await call<{ org_id: string | null; expires_at: string; scopes: string[] }[]>(
        service,
        'GET',
        '/api/keys',
        { key: shown },
      );
      expect(body).toMatchObject([{ org_id: inviter.orgId, address_ranges: ['127.0.0.0/8'] }]);
      expect(body[0]?.scopes).toContain('use_conversations');
      expect(body[0]?.scopes).not.toContain('manage_webhooks');
      const days = (Date.parse(body[0]?.expires_at ?? '') - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThanOrEqual(30);
    });

    it('accepts with no key that has scopes', async () => {
      const [inviter, elsewhere] = [await owner(service), await owner(service)];
      const { key } = await makeKey(service.db, elsewhere.userId, { scopes: ['use_conversations'] });
      const made = await inviteOne(service, inviter, elsewhere.email);
      const page = await sendForm(service, { token: tokenOf(made), step: 'key', key });
      expect(page.status).toBe(403);
      expect(page.body).toContain('No key with scopes can do this');
      expect(await statusOf(service, made)).toBe('pending');
    });

    it('distinguishes a wrong account from a wrong key, and stays open', async () => {
      const inviter = await owner(service);
      const made = await inviteOne(service, inviter, address());
      const wrongAccount = await sendForm(service, { token: tokenOf(made), step: 'key', key: inviter.key });
      expect(wrongAccount).toMatchObject({
        status: 403,
        body: expect.stringContaining('another e-mail address') as string,
      });
      const wrongKey = await sendForm(service, { token: tokenOf(made), step: 'key', key: 'ocs_wrong' });
      expect(wrongKey).toMatchObject({
        status: 403,
        body: expect.stringContaining('This key does not work') as string,
      });
      expect(await statusOf(service, made)).toBe('pending');
    });

    it('makes no second account for their address', async () => {
      const user = await makeUser(service.db, { email: address() });
      const made = await inviteOne(service, await owner(service), user.email);
      const page = await sendForm(service, { token: tokenOf(made), step: 'create', name: 'Somebody else' });
      expect(page).toMatchObject({
        status: 409,
        body: expect.stringContaining('account for this address') as string,
      });
      expect(page.body).not.toMatch(KEY);
    });
  });

  describe('for somebody new, without mail', () => {
    it('makes an account whose keys work in that organization only', async () => {
      const [inviter, other] = [await owner(service), await owner(service)];
      const made = await inviteOne(service, inviter, address());
      const page = await sendForm(service, {
        token: tokenOf(made),
        step: 'create',
        name: ' Grace\r\nHopper ',
      });
      expect(page.status).toBe(200);
      const key = KEY.exec(page.body)![0];
      const current = await call<CurrentKey>(service, 'GET', '/api/keys/current', { key });
      expect(current.body).toMatchObject({ bound_org_id: inviter.orgId });
      const [user] = await service.db.query<[object]>(
        'SELECT name, email, confined_to_org_id FROM users WHERE id = $1',
        [current.body.user_id],
      );
      expect(user).toEqual({ name: 'Grace Hopper', email: made.email, confined_to_org_id: inviter.orgId });
      expect(page.body.indexOf('Start working')).toBeLessThan(page.body.indexOf(key));
      expect(await currentKey(service, cookieOf(page))).toMatchObject({ user_id: current.body.user_id });
      const elsewhere = tokenOf(await inviteOne(service, other, made.email));
      const refused = await sendForm(service, { token: elsewhere, step: 'key', key });
      expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('not proved') as string });
    });

    it('makes one account when the form is sent twice at once', async () => {
      const made = await inviteOne(service, await owner(service), address());
      const pages = await Promise.all(
        [1, 2, 3].map(() => sendForm(service, { token: tokenOf(made), step: 'create', name: 'A' })),
      );
      expect(pages.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
      expect(pages.filter(({ body }) => KEY.test(body))).toHaveLength(1);
    });
  });

  describe('takes forms', () => {
    it.each([
      ['another site, as the browser says', { 'Sec-Fetch-Site': 'cross-site' }],
      ['another origin', { Origin: 'https://evil.example' }],
    ])('not from %s', async (_, headers) => {
      const made = await inviteOne(service, await owner(service), address());
      const page = await sendForm(service, { token: tokenOf(made), step: 'create', name: 'A' }, headers);
      expect(page.status).toBe(403);
      expect(await statusOf(service, made)).toBe('pending');
    });

    it('of a size and a type', async () => {
      expect(await sendForm(service, { token: 'x'.repeat(20_000) })).toMatchObject({ status: 413 });
      const json = await call(service, 'POST', '/invitations/accept', {
        body: { token: 'x' },
        headers: FROM_OWN_PAGE,
      });
      expect(json.status).toBe(415);
    });

    it('at a path that is a page, too', async () => {
      const made = await inviteOne(service, await owner(service, 'Acme'), address());
      const page = await call<string>(service, 'GET', `/invitations/accept?token=${tokenOf(made)}`);
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('Join Acme')]);
      const bare = await call<string>(service, 'GET', '/invitations/accept');
      expect([bare.status, bare.headers['content-type'], bare.body]).toEqual([
        404,
        'text/html; charset=utf-8',
        expect.stringContaining('Open your link again'),
      ]);
    });
  });
});

describe('the page of an invitation, with mail', () => {
  let sink: SmtpSink;
  let service: TestApp;
  beforeAll(async () => {
    sink = await startSmtpSink();
    service = await startTestApp({ env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example' } });
  });
  afterAll(async () => {
    await service.close();
    await sink.close();
  });

  /** Asks for a code and reads it from the mail. */
  async function codeFor(token: string, email: string): Promise<string> {
    const before = codesTo(email).length;
    const page = await sendForm(service, { token, step: 'code', name: 'Grace' });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('value="Grace"') as string });
    return eventually(() => {
      const codes = codesTo(email);
      expect(codes).toHaveLength(before + 1);
      return codes.at(-1)!;
    });
  }

  const codesTo = (email: string): string[] =>
    sink.received
      .filter(({ to }) => to[0] === email)
      .flatMap((mail) => /^ {4}(\d{6})\r?$/m.exec(partsOf(mail).text)?.[1] ?? []);

  const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('asks for the mailed code, and makes a verified account with it', async () => {
    const inviter = await owner(service);
    const made = await inviteOne(service, inviter, address());
    const code = await codeFor(tokenOf(made), made.email);
    const page = await sendForm(service, {
      token: tokenOf(made),
      step: 'confirm',
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
      name: 'Grace',
    });
    const key = KEY.exec(page.body)![0];
    const current = await call<CurrentKey>(service, 'GET', '/api/keys/current', { key });
    expect(current.body).toMatchObject({ bound_org_id: inviter.orgId });
    const [user] = await service.db.query<[object]>(
      'SELECT name, confined_to_org_id FROM users WHERE email = $1',
      [made.email],
    );
    expect(user).toEqual({ name: 'Grace', confined_to_org_id: null });
  });

  it.each([
    ['no code', { step: 'create' }],
    ['an empty code', { step: 'confirm', code: '' }],
    ['no step', { step: '' }],
  ])('makes no account with the link alone: %s', async (_, fields) => {
    const made = await inviteOne(service, await owner(service), address());
    const page = await sendForm(service, { token: tokenOf(made), name: 'Inviter', ...fields });
    expect(page.status).toBe(400);
    expect(await statusOf(service, made)).toBe('pending');
  });

  it('gives five tries for a code, also when they come at once', async () => {
    const made = await inviteOne(service, await owner(service), address());
    const code = await codeFor(tokenOf(made), made.email);
    const guess = (digits: string) =>
      sendForm(service, { token: tokenOf(made), step: 'confirm', code: digits, name: 'X' });
    const pages = await Promise.all(Array.from({ length: 12 }, () => guess(wrong(code))));
    expect(pages.filter(({ body }) => body.includes('not the code'))).toHaveLength(4);
    expect(pages.every(({ status }) => status === 400)).toBe(true);
    expect((await guess(code)).body).toContain('can no longer be used');
    const next = await codeFor(tokenOf(made), made.email);
    expect(await guess(next)).toMatchObject({ status: 200 });
  });

  it('makes one account when the right code is sent twice at once', async () => {
    const made = await inviteOne(service, await owner(service), address());
    const code = await codeFor(tokenOf(made), made.email);
    const pages = await Promise.all(
      [1, 2, 3].map(() => sendForm(service, { token: tokenOf(made), step: 'confirm', code, name: 'X' })),
    );
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    expect(pages.filter(({ body }) => KEY.test(body))).toHaveLength(1);
  });

  it('takes the newest code only, for ten minutes', async () => {
    const made = await inviteOne(service, await owner(service), address());
    const first = await codeFor(tokenOf(made), made.email);
    const second = await codeFor(tokenOf(made), made.email);
    const enter = (code: string) =>
      sendForm(service, { token: tokenOf(made), step: 'confirm', code, name: 'X' });
    if (first !== second) expect(await enter(first)).toMatchObject({ status: 400 });
    await service.db.query(`UPDATE invitation_codes SET expires_at = now() WHERE invitation_id = $1`, [
      made.id,
    ]);
    expect((await enter(second)).body).toContain('can no longer be used');
  });

  it('sends ten codes a day to an address, whoever renews the invitation meanwhile', async () => {
    const [one, two] = [await owner(service), await owner(service)];
    const email = address();
    for (let i = 0; i < 10; i++) {
      const token = tokenOf(await inviteOne(service, i % 2 ? one : two, email));
      expect(await sendForm(service, { token, step: 'code', name: 'X' })).toMatchObject({ status: 200 });
    }
    const token = tokenOf(await inviteOne(service, one, email));
    const refused = await sendForm(service, { token, step: 'code', name: 'X' });
    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('Too many codes') as string });
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(23 * 3600);
    expect(wait).toBeLessThanOrEqual(24 * 3600);
  });

  it('takes no code of another invitation, nor of one before it was renewed', async () => {
    const [one, two] = [await owner(service), await owner(service)];
    const email = address();
    const token = tokenOf(await inviteOne(service, one, email));
    const code = await codeFor(token, email);
    const enter = (into: string) => sendForm(service, { token: into, step: 'confirm', code, name: 'X' });
    expect(await enter(tokenOf(await inviteOne(service, two, email)))).toMatchObject({ status: 400 });
    expect(await enter(tokenOf(await inviteOne(service, one, email)))).toMatchObject({ status: 400 });
  });

  it('keeps no code and no token in the database', async () => {
    const made = await inviteOne(service, await owner(service), address());
    const code = await codeFor(tokenOf(made), made.email);
    const tables = await service.db.query<{ all: string }[]>(
      `SELECT c::text AS all FROM invitation_codes c WHERE invitation_id = $1
       UNION ALL SELECT i::text FROM invitations i WHERE id = $1
       UNION ALL SELECT payload::text FROM graphile_worker._private_jobs`,
      [made.id],
    );
    for (const { all } of tables) {
      expect(all.split(/[(),"]/)).not.toContain(code);
      expect(all).not.toContain(tokenOf(made));
    }
  });

  it('gives an account that was made with a link alone to who proves the address, without its keys', async () => {
    const [inviter, other] = [await owner(service), await owner(service)];
    const email = address();
    // What an inviter makes with a link where there is no mail: an account, a key that names no organization, settings.
    const user = await makeUser(service.db, { email, name: 'Impostor', confinedToOrgId: inviter.orgId });
    await makeMember(service.db, inviter.orgId, 'member', user);
    const impostor = await makeKey(service.db, user.id);
    await service.db.query(`INSERT INTO user_app_settings (user_id, updated_at) VALUES ($1, now())`, [
      user.id,
    ]);

    const token = tokenOf(await inviteOne(service, other, email));
    const code = await codeFor(token, email);
    const page = await sendForm(service, { token, step: 'confirm', code, name: 'Grace' });
    const key = KEY.exec(page.body)![0];
    const current = await call<CurrentKey>(service, 'GET', '/api/keys/current', { key });
    expect(current).toMatchObject({ status: 200, body: { bound_org_id: null } });
    expect(await call(service, 'GET', '/api/keys/current', { key: impostor.key })).toMatchObject({
      status: 401,
    });
    const found = await service.db.query<unknown[]>(
      `SELECT id, name, confined_to_org_id,
              (SELECT array_agg(org_id::text) FROM org_members WHERE user_id = u.id) AS orgs,
              (SELECT count(*)::int FROM user_app_settings WHERE user_id = u.id) AS settings
         FROM users u WHERE email = $1`,
      [email],
    );
    const orgs = expect.arrayContaining([inviter.orgId, other.orgId]) as string[];
    const id = current.body.user_id;
    expect(found).toEqual([{ id, name: 'Grace', confined_to_org_id: null, orgs, settings: 0 }]);
    expect(id).not.toBe(user.id);
  });

  it('lets the account join that an address has, for who proves it, and signs them in to all its organizations', async () => {
    const [inviter, elsewhere] = [await owner(service), await owner(service)];
    const user = await makeUser(service.db, { email: address(), name: 'Ada' });
    await makeMember(service.db, elsewhere.orgId, 'member', user);
    const token = tokenOf(await inviteOne(service, inviter, user.email, 'admin'));
    const code = await codeFor(token, user.email);
    const page = await sendForm(service, { token, step: 'confirm', code, name: 'X' });
    expect([page.status, page.body]).toEqual([200, expect.not.stringMatching(KEY)]);
    for (const orgId of [inviter.orgId, elsewhere.orgId])
      expect(await currentKey(service, cookieOf(page), orgId)).toMatchObject({
        user_id: user.id,
        bound_org_id: null,
        org_id: orgId,
      });
    const [row] = await service.db.query<[object]>('SELECT name FROM users WHERE id = $1', [user.id]);
    expect(row).toEqual({ name: 'Ada' });
  });

  it('does so for no account that is disabled', async () => {
    const user = await makeUser(service.db, { email: address(), disabled: true });
    const token = tokenOf(await inviteOne(service, await owner(service), user.email));
    const code = await codeFor(token, user.email);
    const page = await sendForm(service, { token, step: 'confirm', code, name: 'X' });
    expect([page.status, page.headers['set-cookie']]).toEqual([409, undefined]);
  });
});

describe('a key that does not work, in the form of an invitation', () => {
  it('counts as a failed credential of its address, and one that works is taken', async () => {
    const service = await startTestApp({ env: { APP_ROLE: 'api', FAILED_CREDENTIALS_PER_MINUTE: '2' } });
    try {
      const user = await makeUser(service.db, { email: address() });
      const token = tokenOf(await inviteOne(service, await owner(service), user.email));
      const send = (key: string) => sendForm(service, { token, step: 'key', key });
      const statuses: number[] = [];
      for (const name of ['a', 'b', 'c']) statuses.push((await send(`ocs_${name}`)).status);
      expect(statuses).toEqual([403, 403, 429]);
      expect((await send('ocs_c')).body).toContain('Too many credentials from this address did not work');
      expect((await send((await makeKey(service.db, user.id)).key)).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
