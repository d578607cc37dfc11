import { randomUUID } from 'node:crypto';
import { IdentityProviders } from '../../../src/accounts/identity-providers';
import { permissionsOf } from '../../../src/kernel/auth';
import { approve, beginLogin, poll } from '../device-login/device';
import { startTestApp, type TestApp } from '../service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../service/factories';
import { call } from '../service/http';
import { startSession } from '../web-interface/browser-cookie';
import { OpenIdDouble } from './openid-double';
import { addProvider, sessionOf, signInAt } from './provider-steps';
import { makeProvider } from './providers';

const AUDIENCE = 'urn:conversations';

/** What of a request says who sends it. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly userId: string;
  /** The organization that it is for, or null if it is for all of its person. */
  readonly boundOrgId: string | null;
}

/** Who issues what: the providers of an organization, and of the installation. */
export class Company {
  private constructor(
    readonly app: TestApp,
    readonly owner: TestCaller,
    readonly domain: string,
    private readonly issuers: {
      readonly signIn: OpenIdDouble;
      readonly signInId: string;
      readonly jwt: OpenIdDouble;
      readonly audience: string;
      readonly opaque: OpenIdDouble;
    },
  ) {}

  /** Starts the issuers, and a service that trusts them; the organization is in it. @param env other settings */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<Company> {
    const [signIn, jwt, opaque] = await Promise.all([
      OpenIdDouble.start(),
      OpenIdDouble.start(),
      OpenIdDouble.start(),
    ]);
    const app = await startTestApp({
      env: {
        OIDC_ISSUER: opaque.issuer,
        OIDC_CLIENT_ID: opaque.clientId,
        OIDC_CLIENT_SECRET: opaque.clientSecret,
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_INTROSPECTION: 'on',
        OIDC_ALLOWED_HOSTS: [signIn, jwt, opaque].map(({ host }) => host).join(),
        PUBLIC_URL: 'http://agents.test',
        FAILED_CREDENTIALS_PER_MINUTE: '100000',
        SEND_CALLS_PER_MINUTE: '0',
        READ_CALLS_PER_MINUTE: '0',
        ...env,
      },
    });
    const owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { orgId } = owner;
    const { audience, domain } = await makeProvider(app.db, {
      orgId,
      issuer: jwt.issuer,
      defaultRole: 'member',
    });
    app.app.get(IdentityProviders).clear();
    const signInId = await addProvider(app, owner, signIn, { default_role: 'member' });
    return new Company(app, owner, domain, { signIn, signInId, jwt, audience, opaque });
  }

  async close(): Promise<void> {
    await this.app.close();
    const { signIn, jwt, opaque } = this.issuers;
    await Promise.all([signIn.close(), jwt.close(), opaque.close()]);
  }

  /** Somebody whom the provider of the organization lets in for the first time. */
  newcomer(): string {
    return `${randomUUID()}@${this.domain}`;
  }

  /** A browser in which somebody signed in at the provider of the organization. */
  async session(email: string): Promise<Record<string, string>> {
    const { signIn, signInId } = this.issuers;
    return sessionOf(await signInAt(this.app, signIn, signInId, { sub: email, sid: email, email }));
  }

  /** A JWT of a provider of the organization. */
  async jwt(email: string): Promise<Record<string, string>> {
    const { jwt, audience } = this.issuers;
    const claims = { aud: audience, email, email_verified: true };
    return { Authorization: `Bearer ${await jwt.token(email, claims)}` };
  }

  /** An opaque token of the provider of the installation, which the service asks about. */
  opaque(email: string): Record<string, string> {
    const claims = { aud: AUDIENCE, sub: email, email, email_verified: true };
    const token = this.issuers.opaque.opaqueToken(claims);
    return { Authorization: `Bearer ${token}` };
  }

  /** A key of a login of a device that somebody approved. */
  async deviceKey({ orgId, key }: Pick<TestCaller, 'orgId' | 'key'>): Promise<Record<string, string>> {
    const login = await beginLogin(this.app);
    await approve(this.app, await startSession(this.app, key), login, { organization: orgId });
    const { body } = await poll(this.app, login);
    return { Authorization: `Bearer ${body.access_token ?? ''}` };
  }

  /** Calls an operation of the organization as its owner. */
  async asOwner<Body>(method: string, path: string, body: unknown): Promise<Body> {
    const { orgId, key } = this.owner;
    const response = await call<Body>(this.app, method, `/api/organizations/${orgId}${path}`, { key, body });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** Whose a credential is. */
  async known(headers: Readonly<Record<string, string>>): Promise<Credential> {
    const { status, body } = await call<{ user_id: string; bound_org_id: string | null }>(
      this.app,
      'GET',
      '/api/keys/current',
      { headers },
    );
    if (status !== 200) throw new Error(`Not let in: ${status} ${JSON.stringify(body)}`);
    return { headers, userId: body.user_id, boundOrgId: body.bound_org_id };
  }
}

type MakeCredential = (company: Company) => Promise<Credential>;

const ofKey = (key: string) => ({ 'X-Access-Token': key });

/** Has whoever was let in be an owner. */
async function asOwner(company: Company, headers: Readonly<Record<string, string>>): Promise<Credential> {
  const credential = await company.known(headers);
  await company.asOwner('PATCH', `/members/${credential.userId}`, { role: 'owner' });
  return credential;
}

/** Every kind of credential, of somebody who may do in their organization whatever such a credential can. */
export const CREDENTIALS: Readonly<Record<string, MakeCredential>> = {
  'a key': async (company) =>
    company.known(ofKey((await makeCaller(company.app.db, company.owner.orgId, 'owner')).key)),
  'a key with scopes': async (company) => {
    const { userId } = await makeCaller(company.app.db, company.owner.orgId, 'owner');
    const { key } = await makeKey(company.app.db, userId, { scopes: permissionsOf('owner') });
    return company.known(ofKey(key));
  },
  'a key of a device login': async (company) =>
    company.known(await company.deviceKey(await makeCaller(company.app.db, company.owner.orgId, 'owner'))),
  'a session by a provider of the organization': async (company) =>
    asOwner(company, await company.session(company.newcomer())),
  'a JWT of a provider of the organization': async (company) =>
    asOwner(company, await company.jwt(company.newcomer())),
  'an opaque token of the provider of the installation': async (company) => {
    const { email } = await makeCaller(company.app.db, company.owner.orgId, 'owner');
    return company.known(company.opaque(email));
  },
  'a key of a service account': async (company) => {
    const account = { name: 'Nightly build', role: 'admin' };
    const { id } = await company.asOwner<{ id: string }>('POST', '/service-accounts', account);
    const made = await company.asOwner<{ key: string }>('POST', `/service-accounts/${id}/keys`, {
      name: 'CI',
    });
    return company.known(ofKey(made.key));
  },
  'a key of a member with an own role': async (company) => {
    const { key, userId } = await makeCaller(company.app.db, company.owner.orgId);
    const role = { name: 'Everything', permissions: permissionsOf('owner') };
    const { id } = await company.asOwner<{ id: string }>('POST', '/roles', role);
    await company.asOwner('PATCH', `/members/${userId}`, { own_role_id: id });
    return company.known(ofKey(key));
  },
};
