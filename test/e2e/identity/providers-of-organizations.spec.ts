import { randomUUID } from 'node:crypto';
import { AuthCaches } from '../../../src/kernel/auth';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { addProvider, ownDomain, sessionOf, signInAt } from '../../support/identity/provider-steps';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type HttpResponse } from '../../support/service/http';

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

const path = (id = '') => `/api/organizations/${owner.orgId}/identity-providers${id === '' ? '' : `/${id}`}`;
const change = (id: string, body: object) => call(app, 'PATCH', path(id), { key: owner.key, body });

/** Has the owner sign in with a provider of the organization. @returns headers of their browser */
async function ownersBrowser(provider: string): Promise<Record<string, string>> {
  const domain = `${randomUUID()}.example`;
  await ownDomain(app.db, owner.orgId, domain);
  await app.db.query('UPDATE users SET email = $1 WHERE id = $2', [`a@${domain}`, owner.userId]);
  const response = await signInAt(app, double, provider, { sub: randomUUID(), email: `a@${domain}` });
  expect(response.status).toBe(302);
  return sessionOf(response);
}

/** Who may look after providers and nothing else: a member by their own role, and a key of the owner by its scopes. */
async function keepers(): Promise<{ keeper: TestCaller; role: string; scoped: string }> {
  const keeper = await makeCaller(app.db, owner.orgId);
  const role = randomUUID();
  await app.db.query(
    `INSERT INTO org_roles (id, org_id, name, permissions) VALUES ($1, $2, 'Keeper', '{manage_identity_providers}')`,
    [role, owner.orgId],
  );
  await app.db.query('UPDATE org_members SET own_role_id = $1 WHERE user_id = $2', [role, keeper.userId]);
  const { body } = await call<{ key: string }>(app, 'POST', '/api/keys', {
    key: owner.key,
    body: { name: 'scoped', scopes: ['manage_identity_providers'] },
  });
  return { keeper, role, scoped: body.key };
}

describe('a provider of an organization', () => {
  it('is added, read, changed and deleted, and never tells its secret', async () => {
    const id = await addProvider(app, owner, double, { scope: 'openid email groups' });
    const { body: read } = await call(app, 'GET', path(id), { key: owner.key });
    expect(read).toMatchObject({
      id,
      name: 'Acme',
      issuer: double.issuer,
      has_client_secret: true,
      default_role: null,
      scope: 'openid email groups',
      exclusive: false,
      redirect_uri: `http://127.0.0.1:3000/login/oidc/${id}/callback`,
      backchannel_logout_uri: `http://127.0.0.1:3000/login/oidc/${id}/backchannel-logout`,
    });
    expect(JSON.stringify(read)).not.toContain(double.clientSecret);
    const group_roles = [{ group: 'chiefs', role: 'ADMIN' }];
    const changed = await change(id, { client_secret: null, default_role: 'Member', group_roles });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        has_client_secret: false,
        default_role: 'member',
        group_roles: [{ group: 'chiefs', role: 'admin' }],
      },
    });
    const { body: all } = await call<{ items: unknown[] }>(app, 'GET', path(), { key: owner.key });
    expect(all.items).toEqual([changed.body]);
    expect((await call(app, 'DELETE', path(id), { key: owner.key })).status).toBe(200);
    const gone = await call(app, 'GET', path(id), { key: owner.key });
    expect(gone).toMatchObject({ status: 404, body: { code: 'identity_provider_not_found' } });
  });

  it.each([
    ['default_role', { default_role: 'root' }],
    ['default_role', { default_role: randomUUID() }],
    ['group_roles', { group_roles: [{ group: 'a', role: randomUUID() }] }],
    ['group_roles', { group_roles: [{ group: '', role: 'member' }] }],
    ['scope', { scope: 'email' }],
    ['name', { name: ' ' }],
  ])('is refused for a wrong %s', async (field, body) => {
    const id = await addProvider(app, owner, double);
    const response = await change(id, body);
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toContain(`["body","${field}"`);
  });

  it('is not seen, changed or used by another organization', async () => {
    const id = await addProvider(app, owner, double);
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const theirs = `/api/organizations/${other.orgId}/identity-providers/${id}`;
    for (const [method, at] of [
      ['GET', theirs],
      ['PATCH', theirs],
      ['DELETE', theirs],
      ['POST', `${theirs}/test`],
    ] as const) {
      const response = await call(app, method, at, {
        key: other.key,
        ...(method === 'PATCH' && { body: {} }),
      });
      expect(response).toMatchObject({ status: 404, body: { code: 'identity_provider_not_found' } });
    }
  });

  it('is looked after by owners alone', async () => {
    const id = await addProvider(app, owner, double);
    const admin = await makeCaller(app.db, owner.orgId, 'admin');
    const denied = { status: 403, body: { code: 'permission_denied' } };
    expect(await call(app, 'GET', path(), { key: admin.key })).toMatchObject(denied);
    expect(await call(app, 'PATCH', path(id), { key: admin.key, body: {} })).toMatchObject(denied);
    expect(await call(app, 'DELETE', path(id), { key: admin.key })).toMatchObject(denied);
  });

  it('is not chosen by who could come in by it as somebody who may more', async () => {
    const id = await addProvider(app, owner, double);
    const refused = { status: 403, body: { code: 'role_not_held' } };
    const added = { name: 'A', issuer: double.issuer, client_id: 'b' };
    const { keeper, scoped } = await keepers();
    for (const key of [keeper.key, scoped]) {
      expect(await call(app, 'POST', path(), { key, body: added })).toMatchObject(refused);
      for (const body of [{ client_id: 'b' }, { audience: 'b' }, { introspection: true }])
        expect(await call(app, 'PATCH', path(id), { key, body })).toMatchObject(refused);
    }
  });

  it('gives no role that who enters it lacks', async () => {
    const group_roles = [{ group: 'a', role: 'owner' }];
    const id = await addProvider(app, owner, double, { group_roles, audience: 'a' });
    const { keeper, role, scoped } = await keepers();
    for (const key of [keeper.key, scoped]) {
      for (const body of [{ default_role: 'member' }, { group_roles }, { group_claim: 'name' }])
        expect(await call(app, 'PATCH', path(id), { key, body })).toMatchObject({
          status: 403,
          body: { code: 'role_not_held' },
        });
      const body = { name: 'B', default_role: null, client_id: double.clientId, audience: 'a' };
      expect((await call(app, 'PATCH', path(id), { key, body })).status).toBe(200);
    }
    const given = await call(app, 'PATCH', path(id), { key: keeper.key, body: { default_role: role } });
    expect(given.status).toBe(200);
  });

  it('is one of ten at most, also of those added at once', async () => {
    await app.db.query(
      `INSERT INTO identity_providers (id, org_id, name, issuer, client_id)
       SELECT gen_random_uuid(), $1, 'A', 'https://a.example', 'b' FROM generate_series(1, 9)`,
      [owner.orgId],
    );
    const body = { name: 'A', issuer: double.issuer, client_id: 'b' };
    const add = () => call(app, 'POST', path(), { key: owner.key, body });
    const both = await Promise.all([add(), add()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('ends the sessions of whom it let in when it is deleted', async () => {
    const id = await addProvider(app, owner, double);
    const headers = await ownersBrowser(id);
    expect((await call(app, 'GET', '/api/keys/current', { headers })).status).toBe(200);
    expect((await call(app, 'DELETE', path(id), { headers })).status).toBe(200);
    expect((await call(app, 'GET', '/api/keys/current', { headers })).status).toBe(401);
    expect((await call(app, 'GET', `/login/oidc/${id}`)).status).toBe(404);
  });
});

describe('an organization that lets people in by its provider alone', () => {
  const PROVIDER_REQUIRED = { status: 403, body: { code: 'provider_required' } };
  const settings = (headers: Record<string, string>): Promise<HttpResponse> =>
    call(app, 'GET', `/api/organizations/${owner.orgId}/me`, { headers });
  let provider: string;
  let headers: Record<string, string>;

  beforeEach(async () => {
    provider = await addProvider(app, owner, double);
    headers = await ownersBrowser(provider);
  });

  const exclusive = (value: boolean, sent: Record<string, string> = headers) =>
    call(app, 'PATCH', path(provider), { headers: sent, body: { exclusive: value } });

  it('is one whose owner has come in by it: nobody locks themselves out', async () => {
    const withKey = { 'X-Access-Token': owner.key };
    const refused = { status: 409, body: { code: 'not_signed_in_by_provider' } };
    expect(await exclusive(true, withKey)).toMatchObject(refused);
    const other = await addProvider(app, owner, double, { name: 'Other' });
    expect(await call(app, 'PATCH', path(other), { headers, body: { exclusive: true } })).toMatchObject(
      refused,
    );
    expect(await exclusive(true)).toMatchObject({ status: 200, body: { exclusive: true } });
  });

  it('takes no keys and no sessions that did not come of it, and those of others as before', async () => {
    const withKey = { 'X-Access-Token': owner.key };
    const elsewhere = await makeOrg(app.db);
    await app.db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
      elsewhere.id,
      owner.userId,
    ]);
    expect((await settings(withKey)).status).toBe(200);
    expect((await exclusive(true)).status).toBe(200);
    expect(await settings(withKey)).toMatchObject(PROVIDER_REQUIRED);
    expect((await settings(headers)).status).toBe(200);
    const there = await call(app, 'GET', `/api/organizations/${elsewhere.id}/me`, { headers: withKey });
    expect(there.status).toBe(200);
    // It cannot be turned off by who is kept out.
    expect(await exclusive(false, withKey)).toMatchObject(PROVIDER_REQUIRED);
    expect((await exclusive(false)).status).toBe(200);
    expect((await settings(withKey)).status).toBe(200);
  });

  it('takes keys where its rules allow them beside the provider', async () => {
    expect((await exclusive(true)).status).toBe(200);
    await app.db.query('UPDATE org_credential_rules SET keys_beside_provider = true WHERE org_id = $1', [
      owner.orgId,
    ]);
    app.app.get(AuthCaches).clear();
    expect((await settings({ 'X-Access-Token': owner.key })).status).toBe(200);
  });

  it('lets everybody in again when the provider is deleted', async () => {
    expect((await exclusive(true)).status).toBe(200);
    expect((await call(app, 'DELETE', path(provider), { headers })).status).toBe(200);
    expect((await settings({ 'X-Access-Token': owner.key })).status).toBe(200);
  });
});
