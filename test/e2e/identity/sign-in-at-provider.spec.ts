import { Clock } from '../../../src/kernel/common';
import { OpenIdDouble } from '../../support/identity/openid-double';
import {
  addProvider,
  begin,
  comeBack,
  ownDomain,
  sessionOf,
  signInAt,
} from '../../support/identity/provider-steps';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

const DOMAIN = 'acme.example';
const RANDOM: unknown = expect.stringMatching(/^[\w-]{43}$/);

let double: OpenIdDouble;
let other: OpenIdDouble;
let app: TestApp;
let owner: TestCaller;
let provider: string;
let people = 0;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  other = await OpenIdDouble.start();
  app = await startTestApp({
    env: { OIDC_ALLOWED_HOSTS: `${double.host},${other.host}`, LOG_LEVEL: 'info' },
  });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  await ownDomain(app.db, owner.orgId, DOMAIN);
  provider = await addProvider(app, owner, double, { default_role: 'member' });
});
afterAll(async () => {
  await app.close();
  await double.close();
  await other.close();
});
beforeEach(() => {
  double.reset();
  other.reset();
});

function newPerson() {
  people += 1;
  return { sub: `person-${people}`, email: `person-${people}@${DOMAIN}`, name: `Person ${people}` };
}

describe('signing in with a provider', () => {
  it('asks it for a code, with PKCE, state and nonce, and sends back to an address of its own', async () => {
    const { address } = await begin(app, provider);
    expect(address.origin + address.pathname).toBe(`${double.issuer}/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: double.clientId,
      response_type: 'code',
      redirect_uri: `http://127.0.0.1:3000/login/oidc/${provider}/callback`,
      scope: 'openid email profile',
      state: RANDOM,
      nonce: RANDOM,
      code_challenge: RANDOM,
      code_challenge_method: 'S256',
      max_age: '31536000',
    });
  });

  it('lets a new person in, goes on where they wanted to, and proves to the provider that it has the secret', async () => {
    const person = newPerson();
    const response = await signInAt(app, double, provider, person);
    expect([response.status, response.headers.location]).toEqual([302, '/settings']);
    const current = await call(app, 'GET', '/api/keys/current', { headers: sessionOf(response) });
    expect(current.body).toMatchObject({ org_id: owner.orgId, bound_org_id: owner.orgId });
    const me = await call(app, 'GET', `/api/organizations/${owner.orgId}/me`, {
      headers: sessionOf(response),
    });
    expect(me.body).toMatchObject({ email: person.email, name: person.name, role: 'member' });
    const [{ form, authorization } = { form: new URLSearchParams(), authorization: '' }] = double.exchanges;
    expect(form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    const sent = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    expect(decodeURIComponent(sent)).toBe(`${double.clientId}:${double.clientSecret}`);
  });

  it('finds the same person again by the subject, whatever their address is by then', async () => {
    const person = newPerson();
    const first = await signInAt(app, double, provider, person);
    const again = await signInAt(app, double, provider, { ...person, email: `renamed@elsewhere.example` });
    const userOf = async (response: typeof first) =>
      (await call<{ user_id: string }>(app, 'GET', '/api/v1/users/me', { headers: sessionOf(response) }))
        .body;
    expect(again.status).toBe(302);
    expect(await userOf(again)).toEqual(await userOf(first));
  });

  it('is offered by the page of the organization, and by the domain of a mail address', async () => {
    const href = `href="/login/oidc/${provider}?returnTo=%2F"`;
    const page = await call<string>(app, 'GET', '/login');
    expect(page.body).not.toContain(href);
    expect((await call<string>(app, 'GET', `/login?org=${owner.orgId}`)).body).toContain(href);
    const chosen = await choose(`somebody@${DOMAIN}`);
    expect(chosen).toContain(href);
    const unknown = await choose('somebody@nowhere.example');
    expect(unknown).not.toContain('/login/oidc/');
    // Nobody learns which addresses have an account.
    expect(await choose(owner.email)).toBe(unknown);
  });

  it('is found by no address that is none', async () => {
    for (const email of [`a@${DOMAIN}\u0000`, 'a@\ud800', '@', 'a'])
      expect(await choose(email)).toContain('No sign-in of an organization is known for this address');
  });

  it('says to which host a button leads, whatever the provider is called', async () => {
    const imposter = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    await addProvider(app, imposter, other, { name: 'Acme' });
    const { body } = await call<string>(app, 'GET', `/login?org=${imposter.orgId}`);
    expect(body).toContain('Go on with Acme');
    expect(body).toContain(`At ${other.host}`);
    expect(body).not.toContain(double.host);
  });

  it('waits for a click where another site began it, or a link outside of pages', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const response = await call<string>(app, 'GET', `/login/oidc/${provider}?returnTo=/settings`, {
        headers: { 'Sec-Fetch-Site': site },
      });
      expect([response.status, response.headers['set-cookie']]).toEqual([200, undefined]);
      expect(response.body).toContain(`href="/login/oidc/${provider}?returnTo=%2Fsettings"`);
    }
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
    'goes on to the start page, and not to %s',
    async (returnTo) => {
      const begun = await begin(app, provider, returnTo);
      double.claims = { ...newPerson(), nonce: begun.address.searchParams.get('nonce') };
      const response = await comeBack(app, begun, { iss: double.issuer });
      expect([response.status, response.headers.location]).toEqual([302, '/']);
    },
  );

  it('asks for more where the ID token does not have it', async () => {
    const { sub, ...more } = newPerson();
    double.moreClaims = more;
    double.metadata = { userinfo_endpoint: `${double.issuer}/userinfo` };
    const own = await addProvider(app, owner, double, { default_role: 'member' });
    expect((await signInAt(app, double, own, { sub })).status).toBe(302);
    expect(double.timesAsked('userinfo')).toBe(1);
  });

  it('is in the log without codes, tokens and what the browser keeps', async () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const begun = await begin(app, provider);
    double.claims = { ...newPerson(), nonce: begun.address.searchParams.get('nonce') };
    double.signsWithOther = true;
    const response = await comeBack(app, begun, { iss: double.issuer, code: 'the-code-of-the-provider' });
    write.mockRestore();
    expect(response.status).toBe(503);
    const log = written.join('');
    expect(log).toContain('Nobody was signed in');
    expect(log).toContain('/callback');
    const secrets = ['state', 'nonce'].map((name) => begun.address.searchParams.get(name) ?? '');
    for (const secret of [...secrets, 'the-code-of-the-provider', begun.cookie.split('=')[1] ?? '', 'eyJ'])
      expect(log).not.toContain(secret);
  });

  describe('again, to change keys', () => {
    const hoursAgo = (hours: number) => Math.floor(Date.now() / 1_000) - hours * 3_600;

    /** The code of the error when a key is made with the session of a response. */
    async function makeKey(response: Pick<HttpResponse, 'headers'>): Promise<unknown> {
      const { status, body } = await call<ErrorBody>(app, 'POST', '/api/keys', {
        headers: sessionOf(response),
        body: { name: 'A key' },
      });
      return status === 403 ? body.code : status;
    }

    it('wants a proof of who somebody is', async () => {
      const { address } = await begin(app, provider, '/settings', true);
      expect(address.searchParams.get('prompt')).toBe('login');
      expect(address.searchParams.get('max_age')).toBe('3600');
    });

    it('is what a session is not whose person proved that to the provider long ago, or nobody knows when', async () => {
      const person = newPerson();
      expect(await makeKey(await signInAt(app, double, provider, person))).not.toBe('sign_in_again');
      for (const auth_time of [hoursAgo(2), undefined]) {
        const response = await signInAt(app, double, provider, { ...person, auth_time });
        expect(response.status).toBe(302);
        expect(await makeKey(response)).toBe('sign_in_again');
      }
    });

    it('lets nobody in whom the provider did not ask, whatever the browser left out', async () => {
      const person = newPerson();
      for (const auth_time of [hoursAgo(2), undefined]) {
        const again = await signInAt(app, double, provider, { ...person, auth_time }, true);
        expect(again).toMatchObject({
          status: 403,
          body: expect.stringContaining('You have to prove who you are for this') as unknown,
        });
        expect(again.headers['set-cookie']).toBeUndefined();
      }
      const proved = await signInAt(app, double, provider, { ...person, auth_time: hoursAgo(0) }, true);
      expect(proved.status).toBe(302);
      expect(await makeKey(proved)).not.toBe('sign_in_again');
    });

    it('is asked for by every way to the provider', async () => {
      const page = await call<string>(app, 'GET', `/login?org=${owner.orgId}&again=yes`);
      expect(page.body).toContain(`/login/oidc/${provider}?returnTo=%2F&amp;again=yes"`);
      expect(await choose(`somebody@${DOMAIN}`, 'yes')).toContain('&amp;again=yes"');
      const { body } = await call<string>(app, 'GET', `/login/oidc/${provider}?again=yes`, {
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
      expect(body).toContain('&amp;again=yes"');
    });
  });
});

describe('an answer of a provider', () => {
  const refused = (code: number, words: string) => ({
    status: code,
    body: expect.stringContaining(words) as unknown,
  });
  const NOT_BEGUN = refused(403, 'was not begun in this browser');

  async function begun() {
    const sign = await begin(app, provider);
    double.claims = { ...newPerson(), nonce: sign.address.searchParams.get('nonce') };
    return sign;
  }

  it('signs only the browser in that began', async () => {
    const sign = await begun();
    const iss = double.issuer;
    expect(await comeBack(app, { ...sign, cookie: '' }, { iss })).toMatchObject(NOT_BEGUN);
    const stranger = await begun();
    expect(await comeBack(app, { ...sign, cookie: stranger.cookie }, { iss })).toMatchObject(NOT_BEGUN);
    const made = { ...sign, cookie: 'ocs_sign_in=abcdefgh.AAAA' };
    expect(await comeBack(app, made, { iss })).toMatchObject(NOT_BEGUN);
    const twice = { ...sign, cookie: `${stranger.cookie}; ${sign.cookie}` };
    expect(await comeBack(app, twice, { iss })).toMatchObject(NOT_BEGUN);
    expect(double.exchanges).toEqual([]);
  });

  it('counts with the state that it was asked with, and once', async () => {
    const sign = await begun();
    const iss = double.issuer;
    expect(await comeBack(app, sign, { iss, state: 'another' })).toMatchObject(NOT_BEGUN);
    const [first, second] = await Promise.all([comeBack(app, sign, { iss }), comeBack(app, sign, { iss })]);
    expect([first.status, second.status].sort()).toEqual([302, 403]);
    expect(await comeBack(app, sign, { iss })).toMatchObject(NOT_BEGUN);
    expect(double.exchanges).toHaveLength(1);
  });

  it('counts for ten minutes', async () => {
    const sign = await begun();
    const later = new Date(Date.now() + 600_001);
    const clock = jest.spyOn(app.app.get(Clock), 'now').mockReturnValue(later);
    try {
      expect(await comeBack(app, sign, { iss: double.issuer })).toMatchObject(NOT_BEGUN);
    } finally {
      clock.mockRestore();
    }
  });

  it('is not taken for that of another provider', async () => {
    const others = await addProvider(app, owner, other, { name: 'Other', default_role: 'member' });
    const sign = await begun();
    // To the address of the other one: its token endpoint would get the code.
    expect(await comeBack(app, { ...sign, provider: others }, { iss: double.issuer })).toMatchObject(
      NOT_BEGUN,
    );
    expect(await comeBack(app, sign, { iss: other.issuer })).toMatchObject(
      refused(503, 'its answer is not of the protocol'),
    );
    expect([double.exchanges, other.exchanges]).toEqual([[], []]);
  });

  it('has to say whose it is where the provider says that it does', async () => {
    const sign = await begun();
    expect((await comeBack(app, sign, {})).status).toBe(503);
    expect(double.exchanges).toEqual([]);
  });

  it('that lets nobody in is shown, without anything that could be more than a word', async () => {
    const denied = await comeBack(app, await begun(), { iss: double.issuer, error: 'access_denied' });
    expect(denied).toMatchObject(refused(403, 'says: access_denied'));
    const script = { iss: double.issuer, error: '<script>', error_description: 'Call 555-0100' };
    const made = await comeBack(app, await begun(), script);
    expect(made).toMatchObject(refused(403, 'says: an error'));
    expect(made.body).not.toContain('555');
  });

  it.each<[string, (double: OpenIdDouble) => void, string]>([
    [
      'of another issuer',
      (d) => (d.change = (c) => ({ ...c, iss: 'https://evil.example' })),
      'not for this sign-in',
    ],
    [
      'for another client',
      (d) => (d.change = (c) => ({ ...c, aud: 'somebody-else' })),
      'not for this sign-in',
    ],
    ['of another sign-in', (d) => (d.change = (c) => ({ ...c, nonce: 'another' })), 'not for this sign-in'],
    ['without a nonce', (d) => (d.change = ({ nonce: _, ...c }) => c), 'not of the protocol'],
    ['that has expired', (d) => (d.change = (c) => ({ ...c, exp: 1_000 })), 'has expired'],
    [
      'that does not count yet',
      (d) => (d.change = (c) => ({ ...c, nbf: Math.floor(Date.now() / 1_000) + 600 })),
      'has expired, or one of the clocks is wrong',
    ],
    ['whose subject is no text', (d) => (d.change = (c) => ({ ...c, sub: 'a\0' })), 'not of the protocol'],
    ['of no time', (d) => (d.change = (c) => ({ ...c, iat: 1e300 })), 'not of the protocol'],
    ['signed with the public key as a secret', (d) => (d.signsWithPublicKey = true), 'not of the protocol'],
    ['signed by somebody else', (d) => (d.signsWithOther = true), 'not of the protocol'],
    [
      'that is not signed',
      (d) =>
        d.faults.set('token', (response) => {
          const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
          const now = Math.floor(Date.now() / 1_000);
          const claims = { iss: d.issuer, aud: d.clientId, iat: now, exp: now + 60, ...d.claims };
          const id_token = `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token }));
        }),
      'not of the protocol',
    ],
    [
      'whose subject nobody can keep',
      (d) => (d.change = (c) => ({ ...c, sub: 'a\u0000b' })),
      'not of the protocol',
    ],
    ['that is none', (d) => d.faults.set('token', (r) => r.end('no')), 'something else than JSON'],
    [
      'that redirects',
      (d) => d.faults.set('token', (r) => r.writeHead(302, { Location: '/elsewhere' }).end()),
      'redirects are not followed',
    ],
  ])('is refused with a token %s', async (_, fault, words) => {
    const sign = await begun();
    fault(double);
    const response = await comeBack(app, sign, { iss: double.issuer });
    expect(response).toMatchObject(refused(503, words));
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

async function choose(email: string, again = ''): Promise<string> {
  const { status, body } = await call<string>(app, 'POST', '/login/provider', {
    raw: new URLSearchParams({ email, again }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...FROM_OWN_PAGE },
  });
  expect(status).toBe(200);
  return body;
}
