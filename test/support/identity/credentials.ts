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

const ofKey = (key: string) => ({ 'X-Access-Token': key });

/** What of a request says who sends it. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly userId: string;
  /** The organization that it is for, or null if it is for all of its person. */
  readonly boundOrgId: string | null;
}

/** A key of a service account, and where it and the account are, below the organization. */
interface ServiceKey extends Pick<Credential, 'headers'> {
  readonly path: string;
  readonly accountPath: string;
}

/** A key of a member with an own role, and where they are, below the organization. */
interface OwnRoleKey extends Pick<Credential, 'headers'> {
  readonly memberPath: string;
  readonly rolePath: string;
}

/** Who issues what: the providers of an organization, and of the installation. */
export class Company {
  private constructor(
    readonly app: TestApp,
    /** The settings of the service, for another replica of it. */
    readonly env: Readonly<Record<string, string>>,
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

  /** Starts the issuers, and a service that trusts them; the organization is in it. @param others settings beside these */
  static async start(others: Readonly<Record<string, string>> = {}): Promise<Company> {
    const [signIn, jwt, opaque] = await Promise.all([
      OpenIdDouble.start(),
      OpenIdDouble.start(),
      OpenIdDouble.start(),
    ]);
    const env = {
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
      ...others,
    };
    const app = await startTestApp({ env });
    const owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { orgId } = owner;
    const { audience, domain } = await makeProvider(app.db, {
      orgId,
      issuer: jwt.issuer,
      defaultRole: 'member',
    });
    app.app.get(IdentityProviders).clear();
    const signInId = await addProvider(app, owner, signIn, { default_role: 'member' });
    return new Company(app, env, owner, domain, { signIn, signInId, jwt, audience, opaque });
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

  /** Says, as the provider of the organization does, that somebody signed out there. */
  async signOut(email: string): Promise<void> {
    const { signIn, signInId } = this.issuers;
    const logout_token = await signIn.logoutToken({ sub: email, sid: email });
    const { status, body } = await call(this.app, 'POST', `/login/oidc/${signInId}/backchannel-logout`, {
      raw: new URLSearchParams({ logout_token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    if (status >= 400) throw new Error(`Nobody was signed out: ${status} ${JSON.stringify(body)}`);
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

  /** A key of a new service account. @param maker who makes the key */
  async serviceKey({ key }: Pick<TestCaller, 'key'> = this.owner): Promise<ServiceKey> {
    const account = { name: 'Nightly build', role: 'admin' };
    const { id } = await this.asOwner<{ id: string }>('POST', '/service-accounts', account);
    const accountPath = `/service-accounts/${id}`;
    const path = `${accountPath}/keys`;
    const made = await this.asOwner<{ id: number; key: string }>('POST', path, { name: 'CI' }, key);
    return { headers: ofKey(made.key), path: `${path}/${made.id}`, accountPath };
  }

  /** A key of a new member, whose own role permits everything. */
  async ownRoleKey(): Promise<OwnRoleKey> {
    const { key, userId } = await makeCaller(this.app.db, this.owner.orgId);
    const role = { name: `Everything ${userId}`, permissions: permissionsOf('owner') };
    const { id } = await this.asOwner<{ id: string }>('POST', '/roles', role);
    const memberPath = `/members/${userId}`;
    await this.asOwner('PATCH', memberPath, { own_role_id: id });
    return { headers: ofKey(key), memberPath, rolePath: `/roles/${id}` };
  }

  /** Calls an operation of the organization as its owner. @param key of another one */
  async asOwner<Body>(method: string, path: string, body?: unknown, key = this.owner.key): Promise<Body> {
    const { orgId } = this.owner;
    const url = `/api/organizations/${orgId}${path}`;
    const response = await call<Body>(this.app, method, url, { key, ...(body !== undefined && { body }) });
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

/** Has whoever was let in be an owner. */
async function asOwner(company: Company, headers: Readonly<Record<string, string>>): Promise<Credential> {
  const credential = await company.known(headers);
  await company.asOwner('PATCH', `/members/${credential.userId}`, { role: 'owner' });
  return credential;
}

/** Every kind of credential, of somebody who may do in their organization whatever such a credential can. */
export const CREDENTIALS = {
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
  'a key of a service account': async (company) => company.known((await company.serviceKey()).headers),
  'a key of a member with an own role': async (company) =>
    company.known((await company.ownRoleKey()).headers),
} satisfies Readonly<Record<string, MakeCredential>>;
