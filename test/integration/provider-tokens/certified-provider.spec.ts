import { Clock } from '../../../src/kernel/common';
import { IdentityProviders } from '../../../src/accounts/identity-providers';
import { makeProvider } from '../../support/identity/providers';
import { RealProvider } from '../../support/identity/real-provider';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const AUDIENCE = 'urn:conversations';

describe('a token of a certified provider', () => {
  let provider: RealProvider;
  let app: TestApp;
  let person: TestCaller;
  beforeAll(async () => {
    provider = await RealProvider.start();
    await provider.serve({ redirect_uris: ['http://127.0.0.1/callback'] });
    app = await startTestApp({
      env: {
        APP_ROLE: 'api',
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_INTROSPECTION: 'on',
        OIDC_ALLOWED_HOSTS: provider.host,
      },
    });
    person = await makeCaller(app.db, (await makeOrg(app.db)).id);
    provider.people.set('ada', { email: person.email, email_verified: true });
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const tokenFor = (format: 'jwt' | 'opaque', audience = AUDIENCE): Promise<string> =>
    provider.token('ada', audience, format);
  const send = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    call<{ user_id: string; bound_org_id: string | null }>(app, 'GET', '/api/keys/current', {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });

  it.each(['jwt', 'opaque'] as const)(
    'lets its user in, in all of their organizations: %s',
    async (format) => {
      const { status, body } = await send(await tokenFor(format));
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ user_id: person.userId, bound_org_id: null }),
      ]);
      expect((await send(await tokenFor(format, 'urn:others'))).status).toBe(401);
    },
  );

  it('counts as it did where an organization enters the provider as its own, but for requests that name it', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const own = {
      orgId,
      issuer: provider.issuer,
      audience: AUDIENCE,
      introspection: true,
      defaultRole: 'member',
    };
    const { domain } = await makeProvider(app.db, own);
    provider.people.set('eve', { email: `eve@${domain}`, email_verified: true });
    app.app.get(IdentityProviders).clear();
    for (const format of ['jwt', 'opaque'] as const)
      expect((await send(await tokenFor(format))).body).toMatchObject({
        user_id: person.userId,
        bound_org_id: null,
      });
    const named = await send(await provider.token('eve', AUDIENCE, 'jwt'), { 'X-Org-Id': orgId });
    expect(named.body).toMatchObject({ bound_org_id: orgId });
  });

  it('ends within ten seconds where an opaque one is revoked', async () => {
    const token = await tokenFor('opaque');
    expect((await send(token)).status).toBe(200);
    await provider.revoke(token);
    const clock = app.app.get(Clock);
    const later = clock.monotonicMs() + 10_000;
    jest.spyOn(clock, 'monotonicMs').mockReturnValue(later);
    expect((await send(token)).status).toBe(401);
  });
});
