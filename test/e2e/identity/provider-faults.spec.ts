import type { ServerResponse } from 'node:http';
import { IdentityProviders, ProviderClients } from '../../../src/accounts/identity-providers';
import { eventually } from '../../support/eventually';
import { endless, redirects } from '../../support/identity/faults';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { addProvider } from '../../support/identity/provider-steps';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

let double: OpenIdDouble;
let app: TestApp;
let owner: TestCaller;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  app = await startTestApp({ env: { OIDC_ALLOWED_HOSTS: double.host, APP_ROLE: 'api' } });
});
afterAll(async () => {
  await app.close();
  await double.close();
});
beforeEach(async () => {
  double.reset();
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});

const path = () => `/api/organizations/${owner.orgId}/identity-providers`;

function hangs(): void {
  // Nothing is answered.
}

function drips(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

describe('a provider that is not as it should be', () => {
  it.each<[string, () => void, string]>([
    ['redirects', () => double.faults.set('discovery', redirects), 'redirects are not followed'],
    ['answers without an end', () => double.faults.set('discovery', endless), 'its answer is too large'],
    ['does not answer', () => double.faults.set('discovery', hangs), 'does not answer in time'],
    ['answers byte by byte', () => double.faults.set('discovery', drips), 'does not answer in time'],
    [
      'answers with something else',
      () => double.faults.set('discovery', (r) => r.end('hello')),
      'something else than JSON',
    ],
    ['is not there', () => double.faults.set('discovery', (r) => r.destroy()), 'it does not answer'],
    [
      'says that it is another',
      () => (double.metadata = { issuer: 'https://evil.example' }),
      'names another issuer',
    ],
    [
      'has its token endpoint at a private address',
      () => (double.metadata = { token_endpoint: 'http://10.0.0.1/token' }),
      'its token_endpoint must be of https',
    ],
    [
      'has its keys at a private address',
      () => (double.metadata = { jwks_uri: 'https://169.254.169.254/keys' }),
      'the host 169.254.169.254 is not at a public address',
    ],
    [
      'sends people to something else than a page',
      () => (double.metadata = { authorization_endpoint: 'javascript:alert(1)' }),
      'its authorization_endpoint must be an https address',
    ],
    [
      'says more of itself than is kept',
      () => (double.metadata = { token_endpoint_auth_methods_supported: Array(10_000).fill('none') }),
      'its answer is too large',
    ],
    ['has no keys', () => double.faults.set('jwks', redirects), 'its keys cannot be read'],
  ])('is said to be so where it %s', async (_, fault, words) => {
    const id = await addProvider(app, owner, double);
    fault();
    const { status, body } = await call(app, 'POST', `${path()}/${id}/test`, { key: owner.key });
    expect({ status, body }).toEqual({
      status: 200,
      body: { works: false, problem: expect.stringContaining(words) as unknown },
    });
  });

  it('signs nobody in, and says so on a page', async () => {
    const id = await addProvider(app, owner, double);
    double.faults.set('discovery', redirects);
    const begun = await call<string>(app, 'GET', `/login/oidc/${id}`, { headers: FROM_OWN_PAGE });
    expect([begun.status, begun.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(begun.body).toContain('redirects are not followed');
    // However many want to sign in, it is not asked for each.
    for (let n = 0; n < 3; n++) await call(app, 'GET', `/login/oidc/${id}`, { headers: FROM_OWN_PAGE });
    expect(double.timesAsked('discovery')).toBe(1);
    double.reset();
    await eventually(async () => {
      const { status } = await call(app, 'GET', `/login/oidc/${id}`, { headers: FROM_OWN_PAGE });
      expect(status).toBe(302);
    });
  });

  it('has what is read of it kept alone: the rest may take much memory', async () => {
    double.metadata = { more: Array(10_000).fill({}) };
    const provider = await app.app.get(IdentityProviders).find(await addProvider(app, owner, double));
    if (provider === null) throw new Error('There is no provider.');
    const { configuration } = await app.app.get(ProviderClients).of(provider);
    expect(Object.keys(configuration.serverMetadata())).toContain('jwks_uri');
    expect(Object.keys(configuration.serverMetadata())).not.toContain('more');
  });

  it('works where nothing is wrong with it, and is asked once in ten minutes', async () => {
    const id = await addProvider(app, owner, double);
    const { body } = await call(app, 'POST', `${path()}/${id}/test`, { key: owner.key });
    expect(body).toEqual({ works: true, problem: null });
    double.reset();
    for (let n = 0; n < 3; n++) await call(app, 'GET', `/login/oidc/${id}`, { headers: FROM_OWN_PAGE });
    expect(double.timesAsked('discovery')).toBe(1);
  });
});

describe('an issuer that is entered', () => {
  it.each([
    ['http://sign-in.example.com', 'must be of https'],
    ['https://127.0.0.1/', 'not at a public address'],
    ['https://[::1]:8443/', 'not at a public address'],
    ['https://169.254.169.254/latest', 'not at a public address'],
    ['https://localhost/', 'not at a public address'],
    ['ftp://sign-in.example.com', 'must be an https address'],
    ['sign-in.example.com', 'must be an https address'],
    ['https://user:word@sign-in.example.com', 'must not hold a user or password'],
    ['https://sign-in.example.com/?tenant=1', 'must be the issuer alone'],
    ['https://sign-in.example.com/.well-known/openid-configuration', 'must be the issuer alone'],
  ])('is refused: %s %s', async (issuer, words) => {
    const body = { name: 'A', issuer, client_id: 'b', client_secret: 'a-secret-to-hide' };
    const response = await call(app, 'POST', path(), { key: owner.key, body });
    expect(response).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'issuer'], msg: expect.stringContaining(words) as unknown }] },
    });
    expect(JSON.stringify(response.body)).not.toContain('a-secret-to-hide');
  });
});
