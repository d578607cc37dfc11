import { randomUUID } from 'node:crypto';
import type {
  ServiceAccountKeyList,
  ServiceAccountResponse,
} from '../../../src/accounts/service-accounts/service-accounts.dto';
import {
  IdentityProviders,
  INSTALLATION_PROVIDER_ID,
  ProvisionedPeople,
} from '../../../src/accounts/identity-providers';
import { makeProvider } from '../../support/identity/providers';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';
import { StreamReader } from '../../support/streams/stream-reader';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

let double: OpenIdDouble;
let app: TestApp;
let owner: TestCaller;
let admin: TestCaller;
let provider: Awaited<ReturnType<typeof makeProvider>>;
let account: string;
beforeAll(async () => {
  double = await OpenIdDouble.start();
  app = await startTestApp({
    env: { APP_ROLE: 'api', OIDC_ALLOWED_HOSTS: double.host, FAILED_CREDENTIALS_PER_MINUTE: '100000' },
  });
});
afterAll(async () => {
  await app.close();
  await double.close();
});
beforeEach(async () => {
  const { id: orgId } = await makeOrg(app.db);
  [owner, admin] = [await makeCaller(app.db, orgId, 'owner'), await makeCaller(app.db, orgId, 'admin')];
  provider = await providerOf(orgId);
  account = await makeAccount(owner);
});

type Answer<Body> = Promise<HttpResponse<Body & ErrorBody>>;
const accounts = ({ orgId }: { readonly orgId: string }, rest = '') =>
  `/api/organizations/${orgId}/service-accounts${rest}`;
const refused = (status: number, code: string) => ({ status, body: { code } });

async function providerOf(orgId: string) {
  const groupRoles = [{ group: 'heads', role: 'owner' }];
  const fields = { issuer: double.issuer, introspection: true, defaultRole: 'member', groupRoles };
  const made = await makeProvider(app.db, { orgId, ...fields });
  app.app.get(IdentityProviders).clear();
  return made;
}

async function makeAccount(by: TestCaller, body: object = {}): Promise<string> {
  const made = await call<ServiceAccountResponse>(app, 'POST', accounts(by), {
    key: by.key,
    body: { name: 'Nightly build', ...body },
  });
  return made.body.id;
}

function bind(by: TestCaller, subject: string, more: object = {}, id = account) {
  const body = { provider_id: provider.id, subject, ...more };
  const sent: Answer<ServiceAccountResponse> = call(app, 'PUT', accounts(by, `/${id}/identity`), {
    key: by.key,
    body,
  });
  return sent;
}

const unbind = (by: TestCaller, id = account): Answer<object> =>
  call(app, 'DELETE', accounts(by, `/${id}/identity`), { key: by.key });

const jwt = (subject: string, claims: object = {}) =>
  double.token(subject, { aud: provider.audience, ...claims });

const opaque = (claims: object) => double.opaqueToken({ aud: provider.audience, ...claims });

const read = <Body>(path: string) => call<Body>(app, 'GET', accounts(owner, path), { key: owner.key });
const addressOf = (name: string) => ({ email: `${name}@${provider.domain}`, email_verified: true });

const send = <Body = { readonly user_id: string }>(
  token: string,
  path = '/api/keys/current',
  headers: object = {},
): Answer<Body> =>
  call(app, 'GET', path, {
    headers: { Authorization: `Bearer ${token}`, 'X-Org-Id': owner.orgId, ...headers },
  });
const statusOf = async (token: string): Promise<number> => (await send(token)).status;
const statusesOf = (tokens: readonly string[]): Promise<number[]> => Promise.all(tokens.map(statusOf));
const permissionsWith = async (token: string): Promise<readonly string[]> =>
  (await send<{ permissions: string[] }>(token, '/api/v1/users/me')).body.permissions;
const member = ({ userId, orgId }: TestCaller, method: string, body?: object) =>
  call(app, method, `/api/organizations/${orgId}/members/${userId}`, {
    key: owner.key,
    ...(body !== undefined && { body }),
  });

describe('tokens of a provider whose subject is bound to a service account', () => {
  it('act for it, as JWTs and as opaque ones, with its role whatever their groups', async () => {
    const bound = await bind(owner, 'nightly');
    const identity = { provider_id: provider.id, subject: 'nightly', bound_by_user_id: owner.userId };
    expect(bound).toMatchObject({ status: 200, body: { id: account, identity } });
    const more = { groups: ['heads'], ...addressOf('nightly') };
    const tokens = [
      await jwt('nightly', more),
      opaque({ sub: 'nightly', ...more }),
      opaque({ client_id: 'nightly', ...more }),
    ];
    for (const token of tokens) {
      expect((await send(token)).body).toMatchObject({
        user_id: account,
        user_kind: 'service_account',
        bound_org_id: owner.orgId,
        identity_provider_id: provider.id,
      });
      expect((await send(token, `/api/organizations/${owner.orgId}/me`)).body).toMatchObject({
        kind: 'service_account',
        role: 'member',
        email: null,
      });
    }
    const people = await app.db.query<object[]>('SELECT FROM users WHERE email = $1', [more.email]);
    expect(people).toEqual([]);
  });

  it('are shown with it, and stand among its keys', async () => {
    await bind(admin, 'nightly');
    await send(await jwt('nightly'));
    expect((await read<ServiceAccountResponse>(`/${account}`)).body.identity).toEqual({
      provider_id: provider.id,
      subject: 'nightly',
      bound_by_user_id: admin.userId,
    });
    expect((await read<ServiceAccountKeyList>(`/${account}/keys`)).body.items).toEqual([
      expect.objectContaining({ name: 'Company, by token', made_by_user_id: admin.userId }),
    ]);
  });

  it('count in its organization only, and sign in nowhere', async () => {
    await bind(owner, 'nightly');
    const token = await jwt('nightly');
    const other = await makeOrg(app.db);
    expect(await send(token, '/api/keys/current', { 'X-Org-Id': other.id })).toMatchObject(
      refused(403, 'key_bound_to_other_organization'),
    );
    const login = await call(app, 'POST', '/login', {
      raw: new URLSearchParams({ key: token }).toString(),
      headers: { ...FROM_OWN_PAGE, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([login.status, login.headers['set-cookie']]).toEqual([403, undefined]);
  });

  it('are refused at once when they are unbound, with what they began, and let in nobody else', async () => {
    account = await makeAccount(owner, { role: 'admin' });
    await bind(owner, 'nightly');
    const tokens = [
      await jwt('nightly', addressOf('nightly')),
      opaque({ sub: 'nightly' }),
      opaque({ client_id: 'nightly' }),
    ];
    const stream = await StreamReader.open(`${app.url}/api/organizations/${owner.orgId}/events/stream`, {
      key: tokens[0] ?? '',
    });
    expect([stream.status, ...(await statusesOf(tokens))]).toEqual([200, 200, 200, 200]);
    expect((await unbind(admin)).status).toBe(200);
    expect(await statusesOf(tokens)).toEqual([401, 401, 401]);
    await stream.closed();
    expect(await unbind(admin)).toMatchObject(refused(404, 'service_account_identity_not_found'));
    const events = await app.db.query<object[]>(
      `SELECT event -> 'user_id' AS by, event -> 'fields' AS fields FROM domain_events
        WHERE event ->> 'kind' = 'service_account.updated' AND event ->> 'service_account_id' = $1 ORDER BY id`,
      [account],
    );
    expect(events).toEqual([owner, admin].map(({ userId }) => ({ by: userId, fields: ['identity'] })));
    await bind(admin, 'nightly');
    expect(await statusesOf(tokens)).toEqual([200, 200, 200]);
  });

  it('end with another subject in their place, the account, and the provider', async () => {
    await bind(owner, 'nightly');
    const nightly = await jwt('nightly');
    expect(await statusOf(nightly)).toBe(200);
    await bind(owner, 'weekly');
    const weekly = await jwt('weekly');
    expect(await statusesOf([nightly, weekly])).toEqual([401, 200]);
    await call(app, 'DELETE', accounts(owner, `/${account}`), { key: owner.key });
    expect(await statusOf(weekly)).toBe(401);
    account = await makeAccount(owner);
    await bind(owner, 'monthly');
    const monthly = await jwt('monthly');
    expect(await statusOf(monthly)).toBe(200);
    const path = `/api/organizations/${owner.orgId}/identity-providers/${provider.id}`;
    expect((await call(app, 'DELETE', path, { key: owner.key })).status).toBe(200);
    expect(await statusOf(monthly)).toBe(401);
    expect((await read(`/${account}`)).body).toMatchObject({ identity: null });
  });

  it('do no more than who bound the subject may, and act no longer when they leave', async () => {
    account = await makeAccount(owner, { role: 'admin' });
    await bind(admin, 'nightly');
    const token = await jwt('nightly');
    expect(await permissionsWith(token)).toContain('manage_webhooks');
    expect((await member(admin, 'PATCH', { role: 'member' })).status).toBe(200);
    expect(await permissionsWith(token)).not.toContain('manage_webhooks');
    expect((await member(admin, 'DELETE')).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    await makeMember(app.db, owner.orgId, 'admin', { id: admin.userId, email: admin.email, name: null });
    expect(await statusOf(token)).toBe(401);
    await bind(owner, 'nightly');
    expect(await permissionsWith(token)).toContain('manage_webhooks');
  });
});

describe('a subject is bound', () => {
  it('by who may manage service accounts, with a key that can do all that they may, and does not end', async () => {
    const plain = await makeCaller(app.db, owner.orgId, 'member');
    expect(await bind(plain, 'nightly')).toMatchObject(refused(403, 'permission_denied'));
    expect(await unbind(plain)).toMatchObject(refused(403, 'permission_denied'));
    const keyOf = (body: object) =>
      call<{ key: string }>(app, 'POST', '/api/keys', { key: admin.key, body: { name: 'Less', ...body } });
    const scoped = await keyOf({ scopes: ['manage_service_accounts'] });
    expect(await bind({ ...admin, key: scoped.body.key }, 'nightly')).toMatchObject(
      refused(403, 'key_exceeds_maker'),
    );
    const ending = await keyOf({ expires_at: '2099-01-01T00:00:00Z' });
    expect(await bind({ ...admin, key: ending.body.key }, 'nightly')).toMatchObject(
      refused(403, 'key_outlives_maker'),
    );
    await call(app, 'PUT', `/api/organizations/${owner.orgId}/credential-rules`, {
      key: owner.key,
      body: { key_makers: 'owner', expiry_required: false },
    });
    expect(await bind(admin, 'nightly')).toMatchObject(refused(403, 'key_against_rules'));
    expect(await bind(owner, 'nightly')).toMatchObject({ status: 200 });
  });

  it('to a service account of the organization, at a provider of it', async () => {
    const { id } = await makeOrg(app.db);
    const stranger = await makeCaller(app.db, id, 'owner');
    const [theirAccount, theirProvider] = [await makeAccount(stranger), await providerOf(id)];
    const notFound = refused(404, 'service_account_not_found');
    expect(await bind(owner, 'nightly', {}, theirAccount)).toMatchObject(notFound);
    expect(await unbind(owner, theirAccount)).toMatchObject(notFound);
    expect(await bind(owner, 'nightly', {}, admin.userId)).toMatchObject(notFound);
    for (const provider_id of [theirProvider.id, INSTALLATION_PROVIDER_ID, randomUUID()])
      expect(await bind(owner, 'nightly', { provider_id })).toMatchObject(
        refused(404, 'identity_provider_not_found'),
      );
    // The same subject at another provider is another one.
    expect(await bind(owner, 'nightly')).toMatchObject({ status: 200 });
    const theirs = { provider_id: theirProvider.id };
    expect(await bind(stranger, 'nightly', theirs, theirAccount)).toMatchObject({ status: 200 });
    expect((await send(await jwt('nightly'))).body.user_id).toBe(account);
    const token = await double.token('nightly', { aud: theirProvider.audience });
    expect((await send(token, '/api/keys/current', { 'X-Org-Id': id })).body.user_id).toBe(theirAccount);
  });

  it('where it is nobody else’s: no person’s, nor that of another service account', async () => {
    const ada = addressOf('ada');
    const person = (await send(await jwt('ada', ada))).body;
    expect(person).toMatchObject({ user_kind: 'person' });
    await bind(owner, 'nightly');
    expect(await bind(owner, 'ada')).toMatchObject(refused(409, 'identity_taken'));
    expect(await bind(owner, 'nightly', {}, await makeAccount(owner))).toMatchObject(
      refused(409, 'identity_taken'),
    );
    expect((await send(await jwt('ada', ada))).body.user_id).toBe(person.user_id);
    expect((await send(await jwt('nightly'))).body.user_id).toBe(account);
  });

  it('and nobody is let in by it, at a sign-in or as a member', async () => {
    await bind(owner, 'nightly');
    const known = await app.app.get(IdentityProviders, { strict: false }).find(provider.id);
    const person = { subject: 'nightly', emailVerified: true, name: null, groups: ['heads'] };
    const settled = app.app
      .get(ProvisionedPeople, { strict: false })
      .settle(known!, { ...person, email: `nightly@${provider.domain}` });
    await expect(settled).rejects.toMatchObject({ code: 'identity_of_service_account' });
  });

  it('and a token without a subject acts for nobody but a bound client', async () => {
    const ada = addressOf('ada');
    expect(await statusOf(opaque({ sub: 'ada', ...ada }))).toBe(200);
    expect(await statusOf(opaque({ client_id: 'ada', ...ada }))).toBe(401);
    expect(await statusOf(opaque({ client_id: 'unknown', ...ada }))).toBe(401);
    expect(await statusOf(opaque({}))).toBe(401);
  });

  it.each([{ subject: '' }, { subject: 'x'.repeat(256) }, { subject: 'a\u0000' }, { provider_id: 'none' }])(
    'only where it can be one: %j',
    async (body) => {
      expect((await bind(owner, 'nightly', body)).status).toBe(422);
    },
  );
});
