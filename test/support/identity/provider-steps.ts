import type { DataSource } from 'typeorm';
import type { TestApp } from '../service/app';
import { call, type HttpResponse } from '../service/http';
import { FROM_OWN_PAGE } from '../web-interface/browser-cookie';
import type { OpenIdDouble } from './openid-double';

/** A sign-in that a browser has begun at a provider. */
export interface BegunSignIn {
  readonly provider: string;
  /** Where the provider is asked, with what. */
  readonly address: URL;
  /** The value of `Cookie` of the browser. */
  readonly cookie: string;
}

/** Begins to sign in, as the button of the sign-in page does. */
export async function begin(
  app: { readonly url: string },
  provider: string,
  returnTo = '/settings',
  again = false,
): Promise<BegunSignIn> {
  const query = new URLSearchParams({ returnTo, ...(again && { again: 'yes' }) }).toString();
  const { status, headers, body } = await call(app, 'GET', `/login/oidc/${provider}?${query}`, {
    headers: FROM_OWN_PAGE,
  });
  if (status !== 302) throw new Error(`The sign-in did not begin: ${status} ${String(body)}`);
  const [cookie = ''] = headers['set-cookie'] ?? [];
  return { provider, address: new URL(headers.location ?? ''), cookie: cookie.split(';', 1)[0] ?? '' };
}

/** Goes back from a provider, which says some of this. */
export function comeBack(
  app: { readonly url: string },
  { provider, address, cookie }: BegunSignIn,
  says: Readonly<Record<string, string>>,
): Promise<HttpResponse<string>> {
  const said = { code: 'a-code', state: address.searchParams.get('state') ?? '', ...says };
  const query = new URLSearchParams(said).toString();
  return call<string>(app, 'GET', `/login/oidc/${provider}/callback?${query}`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
  });
}

/** Signs somebody in from beginning to end. */
export async function signInAt(
  app: { readonly url: string },
  double: OpenIdDouble,
  provider: string,
  claims: Readonly<Record<string, unknown>>,
  again = false,
): Promise<HttpResponse<string>> {
  const begun = await begin(app, provider, '/settings', again);
  double.claims = { ...claims, nonce: begun.address.searchParams.get('nonce') };
  return comeBack(app, begun, { iss: double.issuer });
}

/** The headers of a browser's later requests, with the session that a response gave it. */
export function sessionOf({ headers }: Pick<HttpResponse, 'headers'>): Record<string, string> {
  const cookie = headers['set-cookie']?.find((one) => one.startsWith('ocs_session=')) ?? '';
  return { Cookie: cookie.split(';', 1)[0] ?? '', ...FROM_OWN_PAGE };
}

/** Adds a provider to an organization. @returns its id */
export async function addProvider(
  app: TestApp,
  owner: { readonly orgId: string; readonly key: string },
  double: OpenIdDouble,
  fields: object = {},
): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret, issuer } = double;
  const { status, body } = await call<{ id: string }>(
    app,
    'POST',
    `/api/organizations/${owner.orgId}/identity-providers`,
    { key: owner.key, body: { name: 'Acme', issuer, client_id, client_secret, ...fields } },
  );
  if (status !== 201) throw new Error(`No provider: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Has a domain be an organization's, as the operator does. */
export async function ownDomain(db: DataSource, orgId: string, domain: string): Promise<void> {
  await db.query(
    `INSERT INTO identity_domains (org_id, domain, token, verified_at, verified_by)
     VALUES ($1, $2, 'token', now(), 'operator')`,
    [orgId, domain],
  );
}
