import { IdentityProviders } from '../../../src/accounts/identity-providers';
import { Clock } from '../../../src/kernel/common';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { endless, redirects } from '../../support/identity/faults';
import { CLIENT_ID, makeProvider } from '../../support/identity/providers';
import { type Fault, OpenIdDouble } from '../../support/identity/openid-double';
import { insertSandbox } from '../../support/sandbox-access/door-service';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

const AUDIENCE = 'urn:conversations';

describe('an opaque token of an identity provider', () => {
  let ofInstallation: OpenIdDouble;
  let double: OpenIdDouble;
  let app: TestApp;
  beforeAll(async () => {
    [ofInstallation, double] = await Promise.all([OpenIdDouble.start(), OpenIdDouble.start()]);
    app = await startTestApp({
      env: {
        APP_ROLE: 'api',
        OIDC_ISSUER: ofInstallation.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: 'secret of a client',
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_INTROSPECTION: 'on',
        OIDC_ALLOWED_HOSTS: `${ofInstallation.host},${double.host}`,
        FAILED_CREDENTIALS_PER_MINUTE: '100000',
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([double.close(), ofInstallation.close()]);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const one of [double, ofInstallation]) one.reset();
  });

  const company = async (fields: Partial<Parameters<typeof makeProvider>[1]> = {}) => {
    const orgId = (await makeOrg(app.db)).id;
    await makeMember(app.db, orgId, 'owner');
    const defaults = {
      issuer: double.issuer,
      audience: AUDIENCE,
      introspection: true,
      defaultRole: 'member',
    };
    const provider = await makeProvider(app.db, { orgId, ...defaults, ...fields });
    app.app.get(IdentityProviders).clear();
    return { orgId, ...provider };
  };
  /** A token that a provider calls active, with these claims besides. */
  const token = (at: OpenIdDouble, claims: Readonly<Record<string, unknown>>): string =>
    at.opaqueToken({ aud: AUDIENCE, email_verified: true, ...claims });
  const send = (text: string, orgId?: string) =>
    call<{ code: string; org_id: string; bound_org_id: string | null }>(app, 'GET', '/api/keys/current', {
      headers: { Authorization: `Bearer ${text}`, ...(orgId !== undefined && { 'X-Org-Id': orgId }) },
    });
  const status = async (text: string, orgId?: string): Promise<number> => (await send(text, orgId)).status;

  it('lets in whom the provider names, where the request names the organization; nobody else is asked', async () => {
    const { orgId, domain } = await company();
    const ada = token(double, { sub: 'ada', email: `ada@${domain}` });
    expect((await send(ada, orgId)).body).toMatchObject({ org_id: orgId, bound_org_id: orgId });
    double.introspected.length = 0;
    const other = await company({ introspection: false });
    for (const named of [undefined, other.orgId, (await makeOrg(app.db)).id, 'nonsense'])
      expect(await status(token(double, { sub: 'ada' }), named)).toBe(401);
    expect(double.introspected).toEqual([]);
  });

  it('is given to the installation’s provider first: one of an organization sees none that counts elsewhere', async () => {
    const { orgId } = await company();
    const { email } = await makeCaller(app.db, orgId);
    const ada = token(ofInstallation, { sub: 'ada', email });
    const { body, status: code } = await send(ada, orgId);
    expect([code, body.bound_org_id]).toEqual([200, null]);
    ofInstallation.faults.set('introspect', (response) => void response.destroy());
    expect(await status(token(ofInstallation, { sub: 'ada', email }), orgId)).toBe(503);
    expect(double.introspected).toEqual([]);
  });

  it('is given to nobody else where the installation’s provider knows it, and refuses it for another reason', async () => {
    const { orgId } = await company();
    expect(await status(token(ofInstallation, { sub: 'ada', aud: 'another' }), orgId)).toBe(401);
    expect(double.introspected).toEqual([]);
  });

  it('is asked about once by all requests of some seconds, and no longer', async () => {
    const { orgId, domain } = await company();
    const ada = token(double, { sub: 'ada', email: `ada@${domain}` });
    const clock = app.app.get(Clock);
    const began = clock.monotonicMs();
    const now = jest.spyOn(clock, 'monotonicMs').mockReturnValue(began);
    const statuses = await Promise.all(Array.from({ length: 50 }, () => status(ada, orgId)));
    expect([new Set(statuses), double.introspected]).toEqual([new Set([200]), [ada]]);
    double.opaque.delete(ada);
    now.mockReturnValue(began + 5_000);
    expect(await status(ada, orgId)).toBe(200);
    now.mockReturnValue(began + 11_000);
    expect(await status(ada, orgId)).toBe(401);
    double.introspected.length = 0;
    now.mockReturnValue(began + 13_000);
    expect([await status(ada, orgId), double.introspected]).toEqual([401, []]);
    now.mockReturnValue(began + 15_000);
    expect([await status(ada, orgId), double.introspected]).toEqual([401, [ada]]);
  });

  it('is nobody’s that has the name of its client alone, be it that of somebody whom the provider knows', async () => {
    const { orgId, domain } = await company();
    const email = `ada@${domain}`;
    expect(await status(token(double, { sub: 'ada', email }), orgId)).toBe(200);
    for (const sub of [undefined, null])
      expect(await status(token(double, { sub, client_id: 'ada', email }), orgId)).toBe(401);
  });

  it('does not count for an audience that the provider has no more', async () => {
    const { orgId, domain, id } = await company();
    const ada = token(double, { sub: 'ada', email: `ada@${domain}` });
    expect(await status(ada, orgId)).toBe(200);
    await app.db.query(
      `UPDATE identity_providers SET audience = 'another', updated_at = updated_at + interval '1 s' WHERE id = $1`,
      [id],
    );
    app.app.get(IdentityProviders).clear();
    expect(await status(ada, orgId)).toBe(401);
  });

  it('is a 401 where it is not active, of another issuer, for others, no access token, or out of its time', async () => {
    const { orgId, domain } = await company();
    const now = Math.floor(Date.now() / 1_000);
    const claims = { sub: 'ada', email: `ada@${domain}` };
    const refused: Readonly<Record<string, object>> = {
      inactive: { active: false },
      'active in words': { active: 'true' },
      issuer: { iss: ofInstallation.issuer },
      audience: { aud: ['another'] },
      'no audience, of another client': { aud: undefined, client_id: 'another' },
      'refresh token': { token_type: 'Bearer', typ: 'Refresh' },
      'refresh token by its use': { token_use: 'refresh_token' },
      'no type': { token_type: undefined },
      'bound to a key': { token_type: 'DPoP', cnf: { jkt: 'x' } },
      'bound to a certificate': { cnf: { 'x5t#S256': 'x' } },
      expired: { exp: now - 1 },
      'not yet': { nbf: now + 60 },
      'no time': { exp: 'soon' },
      'from the future': { iat: now + 60 },
      'nobody’s': { sub: undefined },
    };
    for (const [name, changes] of Object.entries(refused)) {
      const wrong = await send(token(double, { ...claims, ...changes }), orgId);
      // An answer that is none is the provider's failure.
      expect([name, wrong.status]).toEqual([name, name === 'active in words' ? 503 : 401]);
    }
    expect(await status(token(double, { ...claims, aud: undefined, client_id: CLIENT_ID }), orgId)).toBe(200);
  });

  it.each([
    ['breaks off', (response) => void response.destroy()],
    ['redirects', redirects],
    ['answers without an end', endless],
    [
      'answers with a page',
      (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    ],
    [
      'says more than is kept',
      (response) =>
        void response.writeHead(200, { 'Content-Type': 'application/json' }).end(
          JSON.stringify({
            active: true,
            token_type: 'Bearer',
            aud: AUDIENCE,
            sub: 'ada',
            more: Array.from({ length: 40_000 }, () => ({})),
          }),
        ),
    ],
    ['refuses the service', (response) => void response.writeHead(401).end()],
    ['fails', (response) => void response.writeHead(500).end()],
  ] satisfies [string, Fault][])('is a 503 where the provider %s', async (_name, answer) => {
    const { orgId } = await company();
    double.faults.set('introspect', answer);
    const { status: code, body } = await send(token(double, { sub: 'ada' }), orgId);
    expect([code, body.code]).toEqual([503, 'credential_verifier_unavailable']);
    expect(double.asked).not.toContain('/elsewhere');
  });

  it('is a 503 after five seconds where the provider does not answer', async () => {
    const { orgId } = await company();
    double.faults.set('introspect', () => undefined);
    expect(await status(token(double, { sub: 'ada' }), orgId)).toBe(503);
  });

  it('is not what a key of the service is, a mistyped one, or that of a sandbox: no provider sees them', async () => {
    const { orgId } = await company();
    const caller = await makeCaller(app.db, orgId);
    const sandbox = await insertSandbox(app.db, app.app.get(SandboxKeys), {
      owner: caller,
      baseUrl: 'http://127.0.0.1:1',
    });
    expect(await status(caller.key, orgId)).toBe(200);
    expect(await status(`${caller.key.slice(0, -1)}_`, orgId)).toBe(401);
    expect(await status(sandbox.key, orgId)).toBe(401);
    expect([...double.introspected, ...ofInstallation.introspected]).toEqual([]);
  });
});
