import { randomUUID } from 'node:crypto';
import { BrowserSessions, StandInKeys } from '../../../src/accounts/api-keys';
import { IdentityProviders, ProvisionedPeople } from '../../../src/accounts/identity-providers';
import type { ServiceAccountResponse } from '../../../src/accounts/service-accounts/service-accounts.dto';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { signInAt } from '../../support/identity/provider-steps';
import { makeProvider } from '../../support/identity/providers';
import { rounds } from '../../support/rounds';
import { Directory, type ScimBody } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

let double: OpenIdDouble;
let app: TestApp;
let owner: TestCaller;
let binder: TestCaller;
let provider: Awaited<ReturnType<typeof makeProvider>>;
let directory: Directory;
let account: string;
let person: ScimBody;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  app = await startTestApp({
    env: { APP_ROLE: 'api', OIDC_ALLOWED_HOSTS: double.host, FAILED_CREDENTIALS_PER_MINUTE: '100000' },
  });
});
afterAll(async () => {
  await app.close();
  await double.close();
});
beforeEach(async () => {
  const { id: orgId } = await makeOrg(app.db);
  [owner, binder] = [await makeCaller(app.db, orgId, 'owner'), await makeCaller(app.db, orgId, 'admin')];
  provider = await makeProvider(app.db, { orgId, issuer: double.issuer, defaultRole: 'member' });
  app.app.get(IdentityProviders).clear();
  directory = await Directory.make(app, owner);
  person = await directory.person(addressOf('ada'));
  const path = '/service-accounts';
  account = (await send<ServiceAccountResponse>('POST', path, { name: 'Nightly build' })).body.id;
  await bind('nightly');
});
afterEach(() => {
  jest.restoreAllMocks();
  double.reset();
});

const addressOf = (name: string) => `${name}@${provider.domain}`;
const send = <Body = unknown>(method: string, path: string, body?: object, by = owner) =>
  call<Body>(app, method, `/api/organizations/${owner.orgId}${path}`, {
    key: by.key,
    ...(body !== undefined && { body }),
  });
const identity = () => `/service-accounts/${account}/identity`;
const bind = (subject: string) => send('PUT', identity(), { provider_id: provider.id, subject }, binder);
const token = (subject: string, claims: object = {}) => {
  const email = { email: addressOf(subject), email_verified: true };
  const about = { aud: provider.audience, jti: randomUUID(), ...(subject === 'ada' && email) };
  return double.token(subject, { ...about, ...claims });
};
const statusOf = async (sent: string): Promise<number> =>
  (await call(app, 'GET', '/api/keys/current', { headers: { Authorization: `Bearer ${sent}` } })).status;

const seconds = (more = 0) => Math.floor(Date.now() / 1_000) + more;

/** Has the provider say that Ada has signed out there. @param iat tokens that were issued until then end */
const signOut = async (iat = seconds(1)) => {
  const logout_token = await double.logoutToken({ sub: 'ada', iat });
  const told = await call(app, 'POST', `/login/oidc/${provider.id}/backchannel-logout`, {
    raw: new URLSearchParams({ logout_token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(told.status).toBe(200);
};

/** Keys and sessions that the provider let anybody have. */
const left = () =>
  app.db.query<{ session: number | null }[]>(
    `SELECT k.name, s.id AS session FROM api_keys k LEFT JOIN browser_sessions s ON s.api_key_id = k.id
      WHERE k.identity_provider_id = $1`,
    [provider.id],
  );

const WAYS_OF_SERVICE_ACCOUNTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'its subject is unbound': () => send('DELETE', identity()),
  'another subject is bound': () => bind('weekly'),
  'who bound its subject is removed': () => send('DELETE', `/members/${binder.userId}`),
  'the service account is deleted': () => send('DELETE', `/service-accounts/${account}`),
  'its provider is deleted': () => send('DELETE', `/identity-providers/${provider.id}`),
};

const memberId = async (): Promise<string> => {
  const [row] = await app.db.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [
    addressOf('ada'),
  ]);
  return row?.id ?? '';
};
const WAYS_OF_PEOPLE: Readonly<Record<string, () => Promise<unknown>>> = {
  'the directory switches its person off': () => directory.setActive(person.id, false),
  'its person is removed': async () => send('DELETE', `/members/${await memberId()}`),
  'its person signs out at the provider': () => signOut(),
  'its provider is deleted': () => send('DELETE', `/identity-providers/${provider.id}`),
};

/** Has something happen right before the next call of a method, which then goes on. */
function before(of: object, method: 'for' | 'settle' | 'start', happens: () => Promise<unknown>): void {
  const target = of as Record<typeof method, (...args: unknown[]) => Promise<unknown>>;
  const go = target[method].bind(of);
  jest.spyOn(target, method).mockImplementationOnce(async (...args) => {
    await happens();
    return go(...args);
  });
}

/** Waits for a random time. */
const upTo = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * ms));

const standIns = () => app.app.get(StandInKeys, { strict: false });

describe('a token of a provider that is being looked at', () => {
  it.each(Object.entries(WAYS_OF_SERVICE_ACCOUNTS))(
    'leaves nothing of a service account when %s meanwhile',
    async (_way, end) => {
      before(standIns(), 'for', end);
      expect(await statusOf(await token('nightly'))).toBe(401);
      expect(await left()).toEqual([]);
    },
  );

  it.each(Object.entries(WAYS_OF_PEOPLE))(
    'leaves nothing of a person when %s meanwhile',
    async (_way, end) => {
      expect(await statusOf(await token('ada'))).toBe(200);
      await app.db.query('DELETE FROM api_keys WHERE identity_provider_id = $1', [provider.id]);
      before(standIns(), 'for', end);
      expect(await statusOf(await token('ada'))).toBe(401);
      expect(await left()).toEqual([]);
    },
  );

  it('makes nobody a member again who is removed meanwhile', async () => {
    expect(await statusOf(await token('ada'))).toBe(200);
    const id = await memberId();
    const people = app.app.get(ProvisionedPeople, { strict: false });
    before(people, 'settle', () => send('DELETE', `/members/${id}`));
    expect(await statusOf(await token('ada', { iat: seconds(1) }))).toBe(401);
    const members = await app.db.query<object[]>('SELECT FROM org_members WHERE user_id = $1', [id]);
    expect(members).toEqual([]);
  });

  it('does not count by the key that a newer one has got meanwhile', async () => {
    expect(await statusOf(await token('ada', { iat: seconds(-60) }))).toBe(200);
    before(standIns(), 'for', async () => {
      await signOut(seconds(-30));
      expect(await statusOf(await token('ada'))).toBe(200);
    });
    expect(await statusOf(await token('ada', { iat: seconds(-60) }))).toBe(401);
  });

  it('leaves nothing, at whatever moment it ends, of however many', async () => {
    const ends = { nightly: () => send('DELETE', identity()), ada: WAYS_OF_PEOPLE['its person is removed']! };
    await statusOf(await token('ada'));
    const keys = standIns();
    const go = keys.for.bind(keys);
    jest.spyOn(keys, 'for').mockImplementation(async (...what) => {
      await upTo(40);
      return go(...what);
    });
    for (let round = 0; round < rounds(40, 5); round += 1)
      for (const [subject, end] of Object.entries(ends)) {
        await app.db.query('DELETE FROM api_keys WHERE identity_provider_id = $1', [provider.id]);
        const tokens = await Promise.all(Array.from({ length: 8 }, () => token(subject)));
        const statuses = tokens.map(statusOf);
        await upTo(40);
        await end();
        // 403: it counted when it was looked at, and its person was no member any more a moment later.
        expect([200, 401, 403]).toEqual(expect.arrayContaining(await Promise.all(statuses)));
        expect(await left()).toEqual([]);
        await app.db.query('DELETE FROM ended_identities WHERE provider_id = $1', [provider.id]);
        if (subject === 'nightly') await bind('nightly');
        else expect(await statusOf(await token('ada'))).toBe(200);
      }
  });
});

it('subjects that service accounts no longer have are remembered, at most a thousand of a provider', async () => {
  await app.db.query(
    `INSERT INTO ended_identities (provider_id, subject, ended_at)
     SELECT $1, 'old ' || n, now() - n * interval '1 minute' FROM generate_series(1, 1200) n`,
    [provider.id],
  );
  for (const subject of ['weekly', 'monthly']) expect((await bind(subject)).status).toBe(200);
  const rows = await app.db.query<{ subject: string }[]>(
    'SELECT subject FROM ended_identities WHERE provider_id = $1 ORDER BY ended_at DESC',
    [provider.id],
  );
  expect(rows).toHaveLength(1_000);
  expect(rows.slice(0, 3).map(({ subject }) => subject)).toEqual(['weekly', 'nightly', 'old 1']);
});

describe('a sign-in at a provider that is being settled', () => {
  const signIn = () => signInAt(app, double, provider.id, { sub: 'ada', email: addressOf('ada') });

  describe.each(Object.entries(WAYS_OF_PEOPLE))('when %s meanwhile', (way, end) => {
    it.each([
      ['its key is made', 'for'],
      ['its session begins', 'start'],
    ] as const)('is refused, and leaves no session: before %s', async (_step, method) => {
      expect((await signIn()).status).toBe(302);
      await app.db.query('DELETE FROM api_keys WHERE identity_provider_id = $1', [provider.id]);
      const of = method === 'for' ? standIns() : app.app.get(BrowserSessions, { strict: false });
      before(of, method, end);
      const { status, headers } = await signIn();
      expect([status, headers['set-cookie']?.filter((one) => one.startsWith('ocs_session='))]).toEqual([
        403,
        undefined,
      ]);
      const rows = await left();
      expect(rows.filter(({ session }) => session !== null)).toEqual([]);
      if (!way.includes('signs out')) expect(rows).toEqual([]);
    });
  });
});
