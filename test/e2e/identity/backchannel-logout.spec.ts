import { randomUUID } from 'node:crypto';
import { BrowserSessions, StandInKeys } from '../../../src/accounts/api-keys';
import { eventually } from '../../support/eventually';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { addProvider, ownDomain, sessionOf, signInAt } from '../../support/identity/provider-steps';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const DOMAIN = 'acme.example';

let double: OpenIdDouble;
let app: TestApp;
let replica: TestApp;
let owner: TestCaller;
let provider: string;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  const env = { OIDC_ALLOWED_HOSTS: double.host, APP_ROLE: 'api' };
  app = await startTestApp({ env });
  replica = await startTestApp({ env, database: app.database });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  await ownDomain(app.db, owner.orgId, DOMAIN);
  provider = await addProvider(app, owner, double, { default_role: 'member' });
});
afterAll(async () => {
  await replica.close();
  await app.close();
  await double.close();
});
beforeEach(() => double.reset());

const newPerson = () => {
  const sub = randomUUID();
  return { sub, email: `${sub}@${DOMAIN}` };
};

/** Signs somebody in. @returns whether their session works, on a replica */
async function session(claims: Readonly<Record<string, unknown>>) {
  const headers = sessionOf(await signInAt(app, double, provider, claims));
  const status = async (on: TestApp) => (await call(on, 'GET', '/api/keys/current', { headers })).status;
  expect([await status(app), await status(replica)]).toEqual([200, 200]);
  return status;
}

const tell = (logout_token: string, of = provider) =>
  call(app, 'POST', `/login/oidc/${of}/backchannel-logout`, {
    raw: new URLSearchParams({ logout_token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

describe('who signs out at the provider', () => {
  it('is signed out here, of that session and on every replica within a second', async () => {
    const person = newPerson();
    const first = await session({ ...person, sid: 'first' });
    const second = await session({ ...person, sid: 'second' });
    const { status, headers } = await tell(await double.logoutToken({ sub: person.sub, sid: 'first' }));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(await first(app)).toBe(401);
    await eventually(async () => expect(await first(replica)).toBe(401), 1_000);
    expect([await second(app), await second(replica)]).toEqual([200, 200]);
  });

  it('is signed out when the provider says it again, where it could not be done at first', async () => {
    const person = newPerson();
    const status = await session({ ...person, sid: 'first' });
    const token = await double.logoutToken({ sub: person.sub, sid: 'first' });
    const sessions = app.app.get(BrowserSessions, { strict: false });
    jest.spyOn(sessions, 'endOfProvider').mockRejectedValueOnce(new Error('The database is away.'));
    expect((await tell(token)).status).toBe(500);
    expect((await tell(token)).status).toBe(200);
    expect(await status(app)).toBe(401);
    expect((await tell(token)).status).toBe(400);
  });

  it('is signed out of all sessions where the provider names none', async () => {
    const person = newPerson();
    const sessions = [await session({ ...person, sid: 'a' }), await session(person)];
    const stranger = await session({ ...newPerson(), sid: 'a' });
    expect((await tell(await double.logoutToken({ sub: person.sub }))).status).toBe(200);
    for (const one of sessions) expect(await one(app)).toBe(401);
    expect(await stranger(app)).toBe(200);
    expect((await tell(await double.logoutToken({ sid: 'a' }))).status).toBe(200);
    expect(await stranger(app)).toBe(401);
  });

  it('is signed out, too, of sessions of which the provider named none, where it names one it knows', async () => {
    const person = newPerson();
    const [nameless, other] = [await session(person), await session({ ...person, sid: 'other' })];
    const unkept = await session({ ...person, sid: 'a\u0000' });
    expect((await tell(await double.logoutToken({ sub: person.sub, sid: 'ended' }))).status).toBe(200);
    expect([await nameless(app), await unkept(app), await other(app)]).toEqual([401, 401, 200]);
  });

  it('is signed out where a sign-in comes to its end meanwhile', async () => {
    const person = newPerson();
    await session(person);
    const standIns = app.app.get(StandInKeys);
    const find = standIns.for.bind(standIns);
    jest.spyOn(standIns, 'for').mockImplementationOnce(async (...of) => {
      expect((await tell(await double.logoutToken({ sub: person.sub }))).status).toBe(200);
      return find(...of);
    });
    const late = await signInAt(app, double, provider, person);
    expect([late.status, late.headers['set-cookie']]).toEqual([403, undefined]);
    const left = await app.db.query<object[]>(
      `SELECT s.id FROM browser_sessions s JOIN api_keys k ON k.id = s.api_key_id JOIN users u ON u.id = k.user_id
        WHERE u.email = $1`,
      [person.email],
    );
    expect(left).toEqual([]);
  });

  it('does not come in by an ID token of before', async () => {
    const person = newPerson();
    await session(person);
    const iat = Math.floor(Date.now() / 1_000);
    expect((await tell(await double.logoutToken({ sub: person.sub, iat }))).status).toBe(200);
    const late = await signInAt(app, double, provider, { ...person, iat });
    expect(late.headers['set-cookie']?.some((one) => one.startsWith('ocs_session=')) ?? false).toBe(false);
    await session({ ...person, iat: iat + 1 });
  });

  it('may be nobody here, and the provider does not learn that', async () => {
    expect((await tell(await double.logoutToken({ sub: 'nobody' }))).status).toBe(200);
  });

  it('is signed out once by one token', async () => {
    const person = newPerson();
    const token = await double.logoutToken({ sub: person.sub });
    expect((await tell(token)).status).toBe(200);
    const later = await session(person);
    const again = await tell(token);
    expect(again).toMatchObject({ status: 400, body: { code: 'logout_token_invalid' } });
    expect(await later(app)).toBe(200);
  });

  it('is not by the session of another provider', async () => {
    const person = newPerson();
    const working = await session({ ...person, sid: 'shared' });
    const other = await addProvider(app, owner, double, { name: 'Other' });
    expect((await tell(await double.logoutToken({ sid: 'shared' }), other)).status).toBe(200);
    expect(await working(app)).toBe(200);
  });

  it.each<[string, object, boolean]>([
    ['an ID token', { events: undefined }, false],
    ['one with a nonce', { nonce: 'abc' }, false],
    ['one for another client', { aud: 'somebody-else' }, false],
    ['one of another issuer', { iss: 'https://evil.example' }, false],
    ['an old one', { iat: 1_000 }, false],
    ['one of the future', { iat: Math.floor(Date.now() / 1_000) + 600 }, false],
    ['one that has expired', { exp: Math.floor(Date.now() / 1_000) - 60 }, false],
    ['one without an id', { jti: undefined }, false],
    ['one of nobody', { sub: undefined }, false],
    ['one of a subject that nobody can keep', { sub: 'a\u0000' }, false],
    ['one that is signed by somebody else', {}, true],
  ])('is not by %s', async (_, claims, isForged) => {
    const person = newPerson();
    const working = await session(person);
    double.signsWithOther = isForged;
    const token = await double.logoutToken({ sub: person.sub, ...claims });
    expect(await tell(token)).toMatchObject({ status: 400, body: { code: 'logout_token_invalid' } });
    expect(await working(app)).toBe(200);
  });

  it('has the provider asked for its keys once in half a minute, whatever key ids the tokens name', async () => {
    const person = newPerson();
    const working = await session(person);
    expect((await tell(await double.logoutToken({ sub: 'nobody' }))).status).toBe(200);
    double.asked.length = 0;
    for (let n = 0; n < 20; n++) {
      const token = await double.logoutToken({ sub: person.sub }, { kid: `made-up-${n}` });
      expect(await tell(token)).toMatchObject({ status: 400, body: { code: 'logout_token_invalid' } });
    }
    expect(double.timesAsked('jwks')).toBeLessThanOrEqual(1);
    expect(await working(app)).toBe(200);
  });

  it('is not by a token that is signed with the public key as a secret', async () => {
    const person = newPerson();
    const working = await session(person);
    double.signsWithPublicKey = true;
    expect(await tell(await double.logoutToken({ sub: person.sub }))).toMatchObject({ status: 400 });
    expect(await working(app)).toBe(200);
  });

  it('is not by what is no token', async () => {
    for (const token of ['', 'a.b.c', 'x'.repeat(10_000)])
      expect(await tell(token)).toMatchObject({ status: 400, body: { code: 'logout_token_invalid' } });
    const { status } = await tell('a.b.c', randomUUID());
    expect(status).toBe(404);
  });
});
