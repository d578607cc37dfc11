import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { addProvider, ownDomain, sessionOf, signInAt } from '../../support/identity/provider-steps';
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

type Claims = Readonly<Record<string, unknown>>;

let double: OpenIdDouble;
let app: TestApp;
let owner: TestCaller;
let domain: string;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  app = await startTestApp({
    env: {
      OIDC_ALLOWED_HOSTS: double.host,
      OIDC_ISSUER: double.issuer,
      OIDC_CLIENT_ID: double.clientId,
      OIDC_CLIENT_SECRET: double.clientSecret,
      OIDC_EMAIL_DOMAINS: 'installation.example',
    },
  });
});
afterAll(async () => {
  await app.close();
  await double.close();
});
beforeEach(async () => {
  double.reset();
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  domain = `${randomUUID()}.example`;
  await ownDomain(app.db, owner.orgId, domain);
});

const someone = (claims: Claims = {}) => ({ sub: randomUUID(), email: `a@${domain}`, ...claims });

/** Signs somebody in with a new provider of the organization. */
async function signIn(claims: Claims, fields: object = { default_role: 'member' }) {
  return signInAt(app, double, await addProvider(app, owner, double, fields), claims);
}

/** What the session of a response is in the organization, and with what reach. */
async function whoIs(response: Awaited<ReturnType<typeof signIn>>) {
  const headers = sessionOf(response);
  const me = await call<{ user_id: string; role: string }>(
    app,
    'GET',
    `/api/organizations/${owner.orgId}/me`,
    {
      headers,
    },
  );
  const current = await call<{ bound_org_id: string | null }>(app, 'GET', '/api/keys/current', { headers });
  return { userId: me.body.user_id, role: me.body.role, bound: current.body.bound_org_id };
}

const roleOf = async (userId: string): Promise<unknown> =>
  (
    await app.db.query<{ role: string }[]>(
      'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
      [owner.orgId, userId],
    )
  )[0]?.role ?? null;

const isRefused = (words: string) => ({ status: 403, body: expect.stringContaining(words) as unknown });
const OTHER_DOMAIN = isRefused('of a domain for which this provider lets nobody in');
const NO_ROLE = isRefused('nothing here lets you in');
const UNVERIFIED = isRefused('does not say that your mail address is verified');

describe('who comes in by a provider of an organization', () => {
  it('is a new person with the default role, and without one nobody', async () => {
    expect(await whoIs(await signIn(someone()))).toMatchObject({ role: 'member', bound: owner.orgId });
    expect(await signIn(someone({ email: `b@${domain}` }), {})).toMatchObject(NO_ROLE);
    expect(await app.db.query('SELECT 1 FROM users WHERE email = $1', [`b@${domain}`])).toEqual([]);
  });

  it('has an address of a domain that the organization has proved, and that it has not lost', async () => {
    expect(await signIn(someone({ email: 'a@stranger.example' }))).toMatchObject(OTHER_DOMAIN);
    expect(await signIn(someone({ email: `a@below.${domain}` }))).toMatchObject(OTHER_DOMAIN);
    expect(await signIn(someone({ email: `a@${domain}@stranger.example` }))).toMatchObject(UNVERIFIED);
    await app.db.query(
      `INSERT INTO identity_domains (org_id, domain, token) VALUES ($1, 'claimed.example', 'token')`,
      [owner.orgId],
    );
    expect(await signIn(someone({ email: 'a@claimed.example' }))).toMatchObject(OTHER_DOMAIN);
    const provider = await addProvider(app, owner, double, { default_role: 'member' });
    const person = someone();
    expect((await signInAt(app, double, provider, person)).status).toBe(302);
    await app.db.query('DELETE FROM identity_domains WHERE domain = $1', [domain]);
    expect(await signInAt(app, double, provider, person)).toMatchObject(OTHER_DOMAIN);
  });

  it('has an address that the provider does not call unverified', async () => {
    expect(await signIn(someone({ email_verified: false }))).toMatchObject(UNVERIFIED);
    expect(await signIn(someone({ email_verified: 'false' }))).toMatchObject(UNVERIFIED);
    expect(await signIn(someone({ email: undefined }))).toMatchObject(UNVERIFIED);
    expect((await signIn(someone({ email_verified: true }))).status).toBe(302);
  });

  it('is who has the address, and reaches nothing of theirs outside the organization', async () => {
    const elsewhere = await makeOrg(app.db);
    const user = await makeMember(
      app.db,
      elsewhere.id,
      'admin',
      await makeUser(app.db, { email: `a@${domain}` }),
    );
    const response = await signIn(someone({ email: `A@${domain.toUpperCase()}` }));
    expect(await whoIs(response)).toEqual({ userId: user.id, role: 'member', bound: owner.orgId });
    const outside = await call(app, 'GET', `/api/organizations/${elsewhere.id}/me`, {
      headers: sessionOf(response),
    });
    expect(outside).toMatchObject({ status: 403, body: { code: 'key_bound_to_other_organization' } });
  });

  it('is not who has the address of another organization’s domain, whatever the provider says', async () => {
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const response = await signIn(someone({ email: stranger.email, email_verified: true }));
    expect(response).toMatchObject(OTHER_DOMAIN);
  });

  it('is nobody who is disabled, before or after they came in', async () => {
    const email = `a@${domain}`;
    const { id } = await makeUser(app.db, { email, disabled: true });
    expect(await signIn(someone())).toMatchObject(isRefused('is disabled'));
    await app.db.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [id]);
    const provider = await addProvider(app, owner, double, { default_role: 'member' });
    const person = someone();
    expect((await signInAt(app, double, provider, person)).status).toBe(302);
    await app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
    expect(await signInAt(app, double, provider, person)).toMatchObject(isRefused('is disabled'));
  });

  it('takes over an account that nobody proved to be theirs, without what was set up there', async () => {
    const email = `a@${domain}`;
    const made = await makeUser(app.db, { email, confinedToOrgId: owner.orgId });
    await makeMember(app.db, owner.orgId, 'admin', made);
    const { key } = await makeKey(app.db, made.id);
    const is = await whoIs(await signIn(someone()));
    expect(is).toMatchObject({ role: 'admin', bound: owner.orgId });
    expect(is.userId).not.toBe(made.id);
    expect((await call(app, 'GET', '/api/keys/current', { key })).status).toBe(401);
  });

  it('takes over no account that works in another organization only', async () => {
    const elsewhere = await makeOrg(app.db);
    const made = await makeUser(app.db, { email: `a@${domain}`, confinedToOrgId: elsewhere.id });
    expect(await signIn(someone())).toMatchObject(isRefused('works in another organization only'));
    expect(await app.db.query('SELECT id FROM users WHERE id = $1', [made.id])).toHaveLength(1);
  });

  it('is one identity of the provider: another subject with the same address is somebody else', async () => {
    const provider = await addProvider(app, owner, double, { default_role: 'member' });
    const first = await signInAt(app, double, provider, someone());
    const { userId } = await whoIs(first);
    const second = await signInAt(app, double, provider, someone());
    expect(second).toMatchObject({
      status: 409,
      body: expect.stringContaining('another identity') as unknown,
    });
    // Who left the organization is forgotten.
    const path = `/api/organizations/${owner.orgId}/members/${userId}`;
    expect((await call(app, 'DELETE', path, { key: owner.key })).status).toBe(200);
    expect((await signInAt(app, double, provider, someone())).status).toBe(302);
  });

  it('comes in once where they come in several times at once', async () => {
    const provider = await addProvider(app, owner, double, { default_role: 'member' });
    const person = someone();
    const all = await Promise.all(Array.from({ length: 4 }, () => signInAt(app, double, provider, person)));
    // The double has one nonce at a time; who got another one's is refused.
    expect(all.some(({ status }) => status === 302)).toBe(true);
    expect(await app.db.query('SELECT 1 FROM users WHERE email = $1', [person.email])).toHaveLength(1);
  });
});

describe('people who come in for the first time', () => {
  /** As if this many had come in an hour that began so long ago. */
  const haveCome = (people: number, ago = '10 minutes') =>
    app.db.query(
      `INSERT INTO new_people (org_id, since, people) VALUES ($1, now() - $3::interval, $2)
       ON CONFLICT (org_id) DO UPDATE SET since = excluded.since, people = excluded.people`,
      [owner.orgId, people, ago],
    );

  it('are a thousand in an hour, by all providers of the organization together', async () => {
    const [one, two] = [
      await addProvider(app, owner, double, { default_role: 'member' }),
      await addProvider(app, owner, double, { default_role: 'member' }),
    ];
    const known = someone();
    expect((await signInAt(app, double, one, known)).status).toBe(302);
    await haveCome(999);
    expect((await signInAt(app, double, one, someone({ email: `b@${domain}` }))).status).toBe(302);
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    for (const provider of [one, two]) {
      const refused = await signInAt(app, double, provider, someone({ email: `c@${domain}` }));
      expect(refused).toMatchObject({
        status: 429,
        body: expect.stringContaining('try again in 50 minutes') as unknown,
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(2_900);
      expect(warned).toHaveBeenLastCalledWith({ orgId: owner.orgId, provider }, expect.any(String));
    }
    warned.mockRestore();
    expect(await app.db.query<unknown[]>('SELECT FROM users WHERE email = $1', [`c@${domain}`])).toEqual([]);
    expect((await signInAt(app, double, one, known)).status).toBe(302);
    await haveCome(1_000, '61 minutes');
    expect((await signInAt(app, double, two, someone({ email: `c@${domain}` }))).status).toBe(302);
  });

  it('are not counted where nobody was let in', async () => {
    await haveCome(998);
    for (let n = 0; n < 3; n++) expect(await signIn(someone(), {})).toMatchObject(NO_ROLE);
    expect((await signIn(someone())).status).toBe(302);
  });
});

/** Of an auditor. */
const PERMISSIONS = ['view_org_settings', 'view_org_conversations'];

describe('the role of who comes in by a provider', () => {
  const groups = [
    { group: 'chiefs', role: 'admin' },
    { group: 'readers', role: 'member' },
  ];

  it('is that of the first group with one, at each sign-in', async () => {
    const provider = await addProvider(app, owner, double, { default_role: 'member', group_roles: groups });
    const person = someone();
    const as = async (...names: string[]) =>
      (await whoIs(await signInAt(app, double, provider, { ...person, groups: names }))).role;
    expect(await as('readers', 'chiefs')).toBe('admin');
    expect(await as('readers')).toBe('member');
    expect(await as('chiefs')).toBe('admin');
    expect(await as('nothing')).toBe('member');
  });

  it('is an own role of the organization, where there is one', async () => {
    const id = randomUUID();
    await app.db.query(
      `INSERT INTO org_roles (id, org_id, name, permissions) VALUES ($1, $2, 'Auditor', $3)`,
      [id, owner.orgId, PERMISSIONS],
    );
    const fields = { group_roles: [{ group: 'auditors', role: id }] };
    const response = await signIn(someone({ groups: ['auditors'] }), fields);
    const { body } = await call(app, 'GET', `/api/organizations/${owner.orgId}/me`, {
      headers: sessionOf(response),
    });
    expect(body).toMatchObject({ role: 'member', permissions: PERMISSIONS });
    const made = await addProvider(app, owner, double, { ...fields, name: 'Later' });
    await app.db.query('UPDATE org_members SET own_role_id = NULL WHERE own_role_id = $1', [id]);
    await app.db.query('DELETE FROM org_roles WHERE id = $1', [id]);
    expect(
      await signInAt(app, double, made, someone({ email: `b@${domain}`, groups: ['auditors'] })),
    ).toMatchObject(NO_ROLE);
  });

  it('is none for groups that map to nothing where there is no default role', async () => {
    const fields = { group_roles: groups };
    expect(await signIn(someone({ groups: ['strangers'] }), fields)).toMatchObject(NO_ROLE);
    expect(await signIn(someone({ groups: 'chiefs ' }), fields)).toMatchObject(NO_ROLE);
    expect(await signIn(someone({ groups: { chiefs: true } }), fields)).toMatchObject(NO_ROLE);
    expect((await signIn(someone({ groups: 'chiefs' }), fields)).status).toBe(302);
  });

  it('is read from a claim below others', async () => {
    const fields = { group_claim: 'realm_access.roles', group_roles: groups };
    const person = someone({ realm_access: { roles: ['chiefs'] } });
    expect(await whoIs(await signIn(person, fields))).toMatchObject({ role: 'admin' });
    expect(await signIn(someone({ email: `b@${domain}`, realm_access: 'chiefs' }), fields)).toMatchObject(
      NO_ROLE,
    );
  });

  it('stays for members whose role no group gives', async () => {
    const admin = await makeMember(
      app.db,
      owner.orgId,
      'admin',
      await makeUser(app.db, { email: `a@${domain}` }),
    );
    const fields = { default_role: 'member', group_roles: [{ group: 'readers', role: 'member' }] };
    expect(await whoIs(await signIn(someone({ groups: [] }), fields))).toMatchObject({
      userId: admin.id,
      role: 'admin',
    });
  });

  it('is taken from the last owner never', async () => {
    await app.db.query('UPDATE users SET email = $1 WHERE id = $2', [`a@${domain}`, owner.userId]);
    const fields = {
      default_role: 'member',
      group_roles: [
        { group: 'owners', role: 'owner' },
        { group: 'readers', role: 'member' },
      ],
    };
    const provider = await addProvider(app, owner, double, fields);
    const person = someone({ groups: ['readers'] });
    expect(await whoIs(await signInAt(app, double, provider, person))).toMatchObject({
      userId: owner.userId,
      role: 'owner',
    });
    await makeMember(app.db, owner.orgId, 'owner');
    expect(await whoIs(await signInAt(app, double, provider, person))).toMatchObject({ role: 'member' });
    expect(await roleOf(owner.userId)).toBe('member');
  });
});

describe('who comes in by the provider of the installation', () => {
  const atInstallation = (claims: Claims) => signInAt(app, double, 'installation', claims);
  const verified = (claims: Claims = {}) => ({
    sub: randomUUID(),
    email: `${randomUUID()}@installation.example`,
    email_verified: true,
    ...claims,
  });

  it('is who has the address, in all of their organizations', async () => {
    const claims = verified();
    await app.db.query('UPDATE users SET email = $1 WHERE id = $2', [claims.email, owner.userId]);
    expect(await whoIs(await atInstallation(claims))).toEqual({
      userId: owner.userId,
      role: 'owner',
      bound: null,
    });
  });

  it.each<[string, Claims]>([
    ['is not said to be verified', { email_verified: undefined }],
    ['is said to be unverified', { email_verified: false }],
    ['is said to be verified by something else than true', { email_verified: 1 }],
  ])('is nobody whose address %s, also where an account has it', async (_, claims) => {
    const person = verified(claims);
    await app.db.query('UPDATE users SET email = $1 WHERE id = $2', [person.email, owner.userId]);
    expect(await atInstallation(person)).toMatchObject(UNVERIFIED);
    expect(await app.db.query('SELECT 1 FROM user_identities WHERE user_id = $1', [owner.userId])).toEqual(
      [],
    );
  });

  it('is not who has the address that small letters make of it', async () => {
    const { email, ...person } = verified({});
    await app.db.query('UPDATE users SET email = $1 WHERE id = $2', [`k${email}`, owner.userId]);
    expect(await atInstallation({ ...person, email: `\u212A${email}` })).toMatchObject(UNVERIFIED);
  });

  it('has an address of the domains that the operator names', async () => {
    const response = await atInstallation(verified({ email: owner.email }));
    expect(response).toMatchObject(OTHER_DOMAIN);
  });

  it('is nobody new where the operator names no organization', async () => {
    expect(await atInstallation(verified())).toMatchObject(NO_ROLE);
  });

  it('is nobody new where the operator has no accounts made', async () => {
    const replica = await startTestApp({
      env: {
        OIDC_ALLOWED_HOSTS: double.host,
        OIDC_ISSUER: double.issuer,
        OIDC_CLIENT_ID: double.clientId,
        OIDC_ORG_ID: owner.orgId,
        OIDC_DEFAULT_ROLE: 'member',
        OIDC_AUTO_PROVISION: 'off',
        APP_ROLE: 'api',
      },
      database: app.database,
    });
    try {
      expect(await signInAt(replica, double, 'installation', verified())).toMatchObject(NO_ROLE);
      const known = verified();
      const { id } = await makeUser(app.db, { email: known.email });
      const response = await signInAt(replica, double, 'installation', known);
      expect(await whoIs(response)).toMatchObject({ userId: id, role: 'member' });
    } finally {
      await replica.close();
    }
  });

  it('is new with the role that the operator names, and then whoever the settings of another issuer know is another', async () => {
    const { orgId } = owner;
    const env = {
      OIDC_ALLOWED_HOSTS: double.host,
      OIDC_ISSUER: double.issuer,
      OIDC_CLIENT_ID: double.clientId,
      OIDC_ORG_ID: orgId,
      OIDC_GROUP_ROLES: '[{"group":"chiefs","role":"admin"}]',
      OIDC_DEFAULT_ROLE: 'member',
      APP_ROLE: 'api',
    };
    const replica = await startTestApp({ env, database: app.database });
    const person = verified({ groups: ['chiefs'] });
    try {
      const response = await signInAt(replica, double, 'installation', person);
      expect(await whoIs(response)).toMatchObject({ role: 'admin', bound: null });
    } finally {
      await replica.close();
    }
    const known = () => app.db.query('SELECT 1 FROM user_identities WHERE subject = $1', [person.sub]);
    expect(await known()).toHaveLength(1);
    const next = await startTestApp({
      env: { ...env, OIDC_ISSUER: 'https://another.example' },
      database: app.database,
    });
    await next.close();
    expect(await known()).toEqual([]);
  });
});
