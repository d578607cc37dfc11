import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Authentication } from '../../../src/kernel/auth';
import { IdentityProviders, ProvisionedPeople } from '../../../src/accounts/identity-providers';
import { eventually } from '../../support/eventually';
import { endless, redirects } from '../../support/identity/faults';
import { makeProvider } from '../../support/identity/providers';
import { type Fault, OpenIdDouble, type TokenHeader } from '../../support/identity/openid-double';
import { Directory } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { StreamReader } from '../../support/streams/stream-reader';

interface Current {
  readonly id: number;
  readonly name: string;
  readonly org_id: string;
  readonly bound_org_id: string;
  readonly user_id: string;
  readonly auth_type: string;
  readonly identity_provider_id: string | null;
}

const GROUP_ROLES = [
  { group: 'heads', role: 'owner' },
  { group: 'leads', role: 'admin' },
];
/** Below what limits of failed credentials allow. */
const NO_LIMITS = { FAILED_CREDENTIALS_PER_MINUTE: '100000' };

describe('a JWT of an identity provider', () => {
  let double: OpenIdDouble;
  let app: TestApp;
  beforeAll(async () => {
    double = await OpenIdDouble.start();
    app = await startTestApp({
      env: { APP_ROLE: 'api', LOG_LEVEL: 'info', OIDC_ALLOWED_HOSTS: double.host, ...NO_LIMITS },
    });
  });
  afterAll(async () => {
    await app.close();
    await double.close();
  });
  afterEach(() => {
    double.reset();
    jest.restoreAllMocks();
  });

  /** An organization with a provider, and the tokens that it issues to people. */
  const company = async (fields: Partial<Parameters<typeof makeProvider>[1]> = {}) => {
    const orgId = (await makeOrg(app.db)).id;
    await makeMember(app.db, orgId, 'owner');
    const defaults = { issuer: double.issuer, defaultRole: 'member', groupRoles: GROUP_ROLES };
    const provider = await makeProvider(app.db, { orgId, ...defaults, ...fields });
    app.app.get(IdentityProviders).clear();
    const claimsOf = (name: string) => ({
      aud: provider.audience,
      email: `${name}@${provider.domain}`,
      email_verified: true,
    });
    const token = (name: string, claims: object = {}, ...rest: [header?: TokenHeader, key?: Uint8Array]) =>
      double.token(name, { ...claimsOf(name), ...claims }, ...rest);
    return { orgId, ...provider, token };
  };
  const send = <Body = Current>(
    token: string,
    headers: Readonly<Record<string, string>> = {},
    path = '/api/keys/current',
  ) => call<Body>(app, 'GET', path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
  const status = async (token: string, headers?: Readonly<Record<string, string>>): Promise<number> =>
    (await send(token, headers)).status;
  /** Says, as the provider does, that somebody has signed out there. */
  const signOut = async (id: string, sub: string, claims: object = {}) => {
    const logout_token = await double.logoutToken({ sub, ...claims });
    return call(app, 'POST', `/login/oidc/${id}/backchannel-logout`, {
      raw: new URLSearchParams({ logout_token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
  };
  const roleOf = async (orgId: string, token: string): Promise<unknown> =>
    (await send<{ role: string }>(token, {}, `/api/organizations/${orgId}/me`)).body.role;

  it('lets in whom it is about, in whatever header a key may come, as a key that is listed and bound', async () => {
    const { orgId, id, token } = await company();
    const ada = await token('ada');
    const current = (await send(ada)).body;
    expect(current).toMatchObject({
      name: 'Company, by token',
      org_id: orgId,
      bound_org_id: orgId,
      auth_type: 'api_key',
      identity_provider_id: id,
    });
    for (const name of ['X-Access-Token', 'X-Session-API-Key'])
      expect((await call(app, 'GET', '/api/keys/current', { headers: { [name]: ada } })).body).toEqual(
        current,
      );
    const keys = (await send<{ id: number; name: string }[]>(ada, {}, '/api/keys')).body;
    expect(keys.map((key) => [key.id, key.name])).toEqual([[current.id, 'Company, by token']]);
    const other = await makeOrg(app.db);
    const elsewhere = await send<{ code: string }>(ada, { 'X-Org-Id': other.id });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'key_bound_to_other_organization']);
  });

  it('counts for the request limits as a key does, one for all tokens of its person', async () => {
    const { token } = await company();
    const left = async (text: string) => Number((await send(text)).headers['ratelimit-remaining']);
    const first = await left(await token('ada'));
    expect(first).toBeGreaterThan(0);
    expect(await left(await token('ada', { jti: 'another' }))).toBe(first - 1);
    expect(await left(await token('ben'))).toBe(first);
  });

  it('is looked at once, and makes one person, however many requests bring it at once', async () => {
    const { token, domain } = await company();
    const settle = jest.spyOn(app.app.get(ProvisionedPeople), 'settle');
    const before = double.asked.length;
    const authentication = app.app.get(Authentication);
    const bob = await token('bob');
    const callers = await Promise.all(
      Array.from({ length: 1_000 }, () => authentication.userOfKey(bob, new IncomingMessage(new Socket()))),
    );
    expect(new Set(callers.map(({ userId, keyId }) => `${userId} ${keyId}`)).size).toBe(1);
    expect(settle).toHaveBeenCalledTimes(1);
    expect(double.asked.slice(before)).toEqual(['discovery', 'jwks']);
    const users = await app.db.query<unknown[]>('SELECT FROM users WHERE email = $1', [`bob@${domain}`]);
    expect(users).toHaveLength(1);
  });

  it('is a 401 where it is another issuer’s, for another audience, of another key, unsigned, expired or no access token', async () => {
    const { token, audience } = await company();
    const now = Math.floor(Date.now() / 1_000);
    const { jose } = double;
    const secret = new TextEncoder().encode(JSON.stringify(double.publicKey('first')));
    const foreign = await OpenIdDouble.start();
    const none = [
      { alg: 'none', typ: 'at+jwt' },
      { iss: double.issuer, aud: audience, sub: 'ada', iat: now, exp: now + 9 },
    ]
      .map((part) => jose.base64url.encode(JSON.stringify(part)))
      .join('.');
    const refused = {
      issuer: await token('ada', { iss: foreign.issuer }),
      'issuer, almost': await token('ada', { iss: `${double.issuer}/` }),
      audience: await token('ada', { aud: 'another' }),
      key: await foreign.token('ada', { iss: double.issuer, aud: audience }),
      'key that it brings': await foreign.token(
        'ada',
        { iss: double.issuer, aud: audience },
        { jwk: foreign.publicKey('first'), jku: `${foreign.issuer}/jwks`, x5u: `${foreign.issuer}/jwks` },
      ),
      none: `${none}.`,
      'public key as secret': await token('ada', {}, { alg: 'HS256' }, secret),
      expired: await token('ada', { exp: now - 60 }),
      'not yet': await token('ada', { nbf: now + 60 }),
      'from the future': await token('ada', { iat: now + 60 }),
      'ID token': await token('ada', { nonce: 'n', at_hash: 'h', client_id: undefined }, { typ: 'JWT' }),
      'logout token': await token('ada', {}, { typ: 'logout+jwt' }),
      'bound to a key': await token('ada', { cnf: { jkt: 'x' } }),
      'of nobody': await token('', {}),
      'of bytes that no text has': await token('a\u0000b', {}),
      'issuer that no text has': await token('ada', { iss: 'https://a\u0000' }),
      'many audiences': await token('ada', { aud: Array.from({ length: 100 }, () => audience) }),
    };
    for (const [name, wrong] of Object.entries(refused))
      expect([name, await status(wrong)]).toEqual([name, 401]);
    expect(foreign.asked).toEqual([]);
    await foreign.close();
    expect(await status(await token('ada'))).toBe(200);
  });

  it('has the provider asked for its keys once in half a minute, whatever key ids it names', async () => {
    const { token } = await company();
    expect(await status(await token('ada'))).toBe(200);
    const before = double.asked.length;
    const wrong = await token('ada');
    const madeUp = Array.from({ length: 100 }, (_, n) => {
      const header = double.jose.base64url.encode(
        JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: `made-up-${n}` }),
      );
      return wrong.replace(/^[^.]+/, header);
    });
    expect(new Set(await Promise.all(madeUp.map((one) => status(one))))).toEqual(new Set([401]));
    expect(double.asked.slice(before)).toEqual(['jwks']);
  });

  it('works with an old and a new key while both are published', async () => {
    const { token } = await company();
    const old = await token('ada');
    expect(await status(old)).toBe(200);
    await double.publish('first', 'second');
    expect(await status(await token('ada', { jti: 'new' }, { kid: 'second' }))).toBe(200);
    expect(await status(await token('ada', { jti: 'old' }, { kid: 'first' }))).toBe(200);
  });

  it('works on while the provider is down, and is a 503 where its keys were never read', async () => {
    const [warm, cold] = [await company(), await company()];
    expect(await status(await warm.token('ada'))).toBe(200);
    for (const path of ['jwks', 'discovery'] as const)
      double.faults.set(path, (response) => void response.destroy());
    expect(await status(await warm.token('eve'))).toBe(200);
    const unknown = await send<{ code: string }>(await cold.token('ada'));
    expect([unknown.status, unknown.body.code, unknown.headers['retry-after']]).toEqual([
      503,
      'credential_verifier_unavailable',
      '5',
    ]);
  });

  it.each([
    ['redirects', redirects],
    ['answers without an end', endless],
    ['does not answer', () => undefined],
    ['answers with no keys', (response) => void response.end('{"keys":"none"}')],
    ['answers with no JSON', (response) => void response.end('<html>')],
  ] satisfies [string, Fault][])('is a 503 where the provider %s', async (_name, answer) => {
    const { token } = await company();
    double.faults.set('jwks', answer);
    const before = double.asked.length;
    expect(await status(await token('ada'))).toBe(503);
    expect(double.asked.slice(before)).not.toContain('/elsewhere');
  });

  it('has nobody connected to at a private address', async () => {
    const inner = await OpenIdDouble.start();
    const { audience } = await company({ issuer: inner.issuer });
    expect(await status(await inner.token('ada', { aud: audience }))).toBe(503);
    expect(inner.asked).toEqual([]);
    await inner.close();
  });

  it('gives the role of its groups, once, where it is newer than all before it and says anything of groups', async () => {
    const { orgId, token } = await company();
    const at = (seconds: number) => ({ iat: Math.floor(Date.now() / 1_000) - 60 + seconds });
    const first = await token('ada', { ...at(1), groups: ['leads', 'others'] });
    expect(await roleOf(orgId, first)).toBe('admin');
    const silent = await token('ada', at(2));
    expect(await roleOf(orgId, silent)).toBe('admin');
    const promoted = await token('ada', { ...at(4), groups: ['heads'] });
    expect(await roleOf(orgId, promoted)).toBe('owner');
    expect(await roleOf(orgId, await token('ada', { ...at(3), groups: [] }))).toBe('owner');
    expect(await roleOf(orgId, first)).toBe('owner');
    expect(await roleOf(orgId, await token('ada', { ...at(5), groups: [] }))).toBe('member');
    const settle = jest.spyOn(app.app.get(ProvisionedPeople), 'settle');
    await app.db.query(`UPDATE org_members SET role = 'admin' WHERE org_id = $1 AND role = 'member'`, [
      orgId,
    ]);
    await eventually(async () => expect(await roleOf(orgId, promoted)).toBe('admin'));
    expect(settle).not.toHaveBeenCalled();
  });

  it('says in a 401 why somebody is not let in whom the provider knows', async () => {
    const { token, audience } = await company();
    const { body, status: code } = await send<{ code: string; detail: string }>(
      await double.token('eve', { aud: audience, email: 'eve@elsewhere.example', email_verified: true }),
    );
    expect([code, body.code, body.detail]).toEqual([
      401,
      'not_authenticated',
      'Your mail address is of a domain for which this provider lets nobody in.',
    ]);
    expect(await status(await token('eve', { email: undefined }))).toBe(401);
  });

  it('ends with a sign-out at the provider, a user who is disabled, and a provider that is removed', async () => {
    const { id, token } = await company();
    const iat = Math.floor(Date.now() / 1_000) - 30;
    const old = await token('ada', { iat });
    const { user_id } = (await send(old)).body;
    expect((await signOut(id, 'ada', { iat })).status).toBe(200);
    expect(await status(old)).toBe(401);
    const later = await token('ada', { iat: iat + 1 });
    expect(await status(later)).toBe(200);
    await app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user_id]);
    await eventually(async () => expect(await status(later)).toBe(401), 1_000);
    await app.db.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [user_id]);
    await eventually(async () => expect(await status(later)).toBe(200));
    await app.db.query('DELETE FROM identity_providers WHERE id = $1', [id]);
    await eventually(async () => expect(await status(later)).toBe(401), 1_000);
  });

  it('ends with the verified domain of its user', async () => {
    const { orgId, token } = await company();
    const ada = await token('ada');
    expect(await status(ada)).toBe(200);
    await app.db.query('DELETE FROM identity_domains WHERE org_id = $1', [orgId]);
    await eventually(async () => expect(await status(ada)).toBe(401));
  });

  it('ends with the membership of its user, who comes back by a later one only', async () => {
    const { orgId, token } = await company();
    const owner = await makeCaller(app.db, orgId, 'owner');
    const old = await token('ada');
    const { user_id } = (await send(old)).body;
    const removed = await call(app, 'DELETE', `/api/organizations/${orgId}/members/${user_id}`, {
      key: owner.key,
    });
    expect(removed.status).toBe(200);
    expect(await status(old)).toBe(401);
    const tooSoon = await token('ada', { iat: Math.floor(Date.now() / 1_000) + 9 });
    expect(await status(tooSoon)).toBe(401);
    await app.db.query(`UPDATE ended_identities SET ended_at = ended_at - interval '1 minute'`);
    expect(await roleOf(orgId, await token('ada', { jti: 'later' }))).toBe('member');
  });

  it('lets in nobody whom the directory has switched off, with whatever address', async () => {
    const { orgId, domain, token } = await company();
    const directory = await Directory.make(app, await makeCaller(app.db, orgId, 'owner'));
    const { id } = await directory.person(`ada@${domain}`);
    expect(await status(await token('ada'))).toBe(200);
    await directory.setActive(id, false);
    await app.db.query(`UPDATE ended_identities SET ended_at = ended_at - interval '1 minute'`);
    for (const name of ['ada', 'other']) {
      const later = await send<{ detail: string }>(
        await token('ada', { jti: name, email: `${name}@${domain}` }),
      );
      expect([later.status, later.body.detail]).toEqual([
        401,
        expect.stringContaining('switched this person off'),
      ]);
    }
  });

  it('has the streams that it opened end with a sign-out at the provider', async () => {
    const { orgId, id, token } = await company();
    const headers = { Authorization: `Bearer ${await token('ada', { groups: ['leads'] })}` };
    const stream = await StreamReader.open(`${app.url}/api/organizations/${orgId}/events/stream`, {
      headers,
    });
    expect(stream.status).toBe(200);
    expect((await signOut(id, 'ada')).status).toBe(200);
    await eventually(() => expect(stream.isClosed).toBe(true));
    expect(stream.of('end').map(({ data }) => data)).toEqual([
      '{"reason":"credential_ended","resumable":false}',
    ]);
  });

  it('counts for the organization whose audience it has; of several, the one that is named or knows the person', async () => {
    const audience = 'urn:shared';
    const [first, second] = [await company({ audience }), await company({ audience })];
    const own = await company();
    expect((await send(await own.token('ada'))).body.org_id).toBe(own.orgId);
    const claims = { email: `ada@${first.domain}` };
    const shared = await first.token('ada', claims);
    expect(await status(shared)).toBe(401);
    expect((await send(shared, { 'X-Org-Id': first.orgId })).body.org_id).toBe(first.orgId);
    await eventually(async () => expect((await send(shared)).body.org_id).toBe(first.orgId));
    // Nobody gets at what is sent for the first one by entering its provider, too.
    const atSecond = await second.token('ada');
    expect((await send(atSecond, { 'X-Org-Id': second.orgId })).body.org_id).toBe(second.orgId);
    expect(await status(await second.token('ada', { jti: 'another' }))).toBe(401);
  });

  it('is refused by the parser where it is larger than headers may be', async () => {
    const { token } = await company();
    expect(await status(await token('ada', { filler: 'x'.repeat(20_000) }))).toBe(431);
  });

  it('is in no line of the log, which says why it was refused', async () => {
    const { token } = await company();
    const written: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
    const tokens = [await token('ada'), await token('ada', { exp: 1 })];
    for (const one of tokens) await send(one);
    await eventually(() => expect(written.join('')).toContain('"reason":"ERR_JWT_EXPIRED: exp"'));
    jest.restoreAllMocks();
    for (const part of tokens.flatMap((one) => one.split('.').slice(1)))
      expect(written.join('')).not.toContain(part);
  });
});
