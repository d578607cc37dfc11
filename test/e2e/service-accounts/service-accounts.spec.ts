import { Accounts } from '../../../src/accounts/orgs';
import type { OrgMemberResponse, OwnMembership } from '../../../src/accounts/orgs/members/members.dto';
import type {
  ServiceAccountKeyCreated,
  ServiceAccountKeyList,
  ServiceAccountList,
  ServiceAccountResponse,
} from '../../../src/accounts/service-accounts/service-accounts.dto';
import { permissionsOf } from '../../../src/kernel/auth';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type CallOptions, type ErrorBody, type HttpResponse } from '../../support/service/http';
import { StreamReader } from '../../support/streams/stream-reader';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';

/** What people answer for, and no service account has. */
const OF_PEOPLE = [
  'manage_api_keys',
  'invite_user_to_organization',
  'manage_roles',
  'manage_service_accounts',
  'change_user_role:member',
  'change_user_role:admin',
  'manage_legal_holds',
];
const without = (names: readonly string[]) => names.filter((name) => !OF_PEOPLE.includes(name));

let app: TestApp;
let owner: TestCaller;
let admin: TestCaller;
beforeAll(async () => {
  app = await startTestApp({
    env: { APP_ROLE: 'api', SERVICE_API_KEY: 'a service key of thirty-two letters' },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  const { id } = await makeOrg(app.db);
  owner = await makeCaller(app.db, id, 'owner');
  admin = await makeCaller(app.db, id, 'admin');
});

type Answer<Body> = Promise<HttpResponse<Body & ErrorBody>>;
const org = (rest: string) => `/api/organizations/${owner.orgId}${rest}`;
const accounts = (rest = '') => org(`/service-accounts${rest}`);
const make = (by: TestCaller, body: object): Answer<ServiceAccountResponse> =>
  call(app, 'POST', accounts(), { key: by.key, body: { name: 'Nightly build', ...body } });
const change = (by: TestCaller, id: string, body: object): Answer<ServiceAccountResponse> =>
  call(app, 'PATCH', accounts(`/${id}`), { key: by.key, body });
const makeAccountKey = (by: TestCaller, id: string, body: object = {}): Answer<ServiceAccountKeyCreated> =>
  call(app, 'POST', accounts(`/${id}/keys`), { key: by.key, body });
const refused = (status: number, code: string) => ({ status, body: { code } });
const member = (whom: { readonly userId: string }, body: object) =>
  call(app, 'PATCH', org(`/members/${whom.userId}`), { key: owner.key, body });
const removeMember = ({ userId }: { readonly userId: string }, by = owner): Answer<object> =>
  call(app, 'DELETE', org(`/members/${userId}`), { key: by.key });
const permissionsWith = async (key: string): Promise<readonly string[] | number> => {
  const { status, body } = await call<OwnMembership>(app, 'GET', '/api/v1/users/me', { key });
  return status === 200 ? body.permissions : status;
};

/** A service account with a key that somebody made. */
async function account(
  by: TestCaller,
  body: object = {},
): Promise<{ id: string; key: string; keyId: number }> {
  const made = await make(owner, body);
  expect(made).toMatchObject({ status: 201 });
  const { id } = made.body;
  const { status, body: key } = await makeAccountKey(by, id);
  expect(status).toBe(201);
  return { id, key: key.key ?? '', keyId: key.id };
}

async function role(permissions: readonly string[]): Promise<string> {
  const body = { name: `Role ${Math.random()}`, permissions };
  return (await call<{ id: string }>(app, 'POST', org('/roles'), { key: owner.key, body })).body.id;
}

describe('service accounts', () => {
  it('are made, listed by name, changed and deleted', async () => {
    const { status, body } = await make(admin, { name: ' Nightly ' });
    expect(status).toBe(201);
    const owned = { user_id: admin.userId, email: admin.email, name: null };
    const permissions = without(permissionsOf('member'));
    expect(body).toMatchObject({
      name: 'Nightly',
      role: 'member',
      own_role: null,
      permissions,
      owner: owned,
    });
    await make(owner, { name: 'archive', role: 'ADMIN' });
    const listed = await call<ServiceAccountList>(app, 'GET', accounts(), { key: admin.key });
    expect(listed.body.items.map(({ name, role: its }) => [name, its])).toEqual([
      ['archive', 'admin'],
      ['Nightly', 'member'],
    ]);
    const changes = { name: 'Weekly', role: 'admin', owner_user_id: owner.userId };
    const changed = await change(admin, body.id, changes);
    expect(changed.body).toMatchObject({ name: 'Weekly', role: 'admin', owner: { user_id: owner.userId } });
    const read = await call(app, 'GET', accounts(`/${body.id}`), { key: admin.key });
    expect(read.body).toEqual(changed.body);
    expect((await call(app, 'DELETE', accounts(`/${body.id}`), { key: admin.key })).status).toBe(200);
    for (const id of [body.id, 'no-id', admin.userId])
      expect(await change(owner, id, {})).toMatchObject(refused(404, 'service_account_not_found'));
  });

  it('are shown as such, without an address, wherever people are shown', async () => {
    const { id, key } = await account(owner);
    const { body } = await call<{ items: OrgMemberResponse[] }>(app, 'GET', org('/members'), {
      key: owner.key,
    });
    const shown = body.items.map(({ user_id, kind, email }) => [user_id, kind, email]);
    expect(shown).toContainEqual([id, 'service_account', null]);
    expect(shown).toContainEqual([owner.userId, 'person', owner.email]);
    const current = await call(app, 'GET', '/api/keys/current', { key });
    expect(current.body).toMatchObject({
      user_id: id,
      user_kind: 'service_account',
      bound_org_id: owner.orgId,
    });
    for (const path of ['/api/v1/users/me', org('/me')])
      expect((await call(app, 'GET', path, { key })).body).toMatchObject({
        kind: 'service_account',
        email: null,
        name: 'Nightly build',
        role: 'member',
        permissions: without(permissionsOf('member')),
      });
    const found = await call<{ items: object[] }>(app, 'GET', org('/members?search=nightly'), { key });
    expect(found.body.items).toHaveLength(1);
  });

  it('are no owners, and have nothing that their maker lacks', async () => {
    expect(await make(owner, { role: 'owner' })).toMatchObject(refused(400, 'role_not_for_service_account'));
    expect(await make(owner, { role: 'king' })).toMatchObject(refused(400, 'invalid_role'));
    const { id } = await account(owner);
    expect(await change(owner, id, { role: 'owner' })).toMatchObject(
      refused(400, 'role_not_for_service_account'),
    );
    const [less, more] = [await role(['view_audit_log']), await role(['change_organization_name'])];
    expect(await make(admin, { own_role_id: more })).toMatchObject(refused(403, 'role_not_held'));
    expect(await change(admin, id, { own_role_id: more })).toMatchObject(refused(403, 'role_not_held'));
    expect(await make(admin, { role: 'admin', own_role_id: less })).toMatchObject(
      refused(400, 'own_role_needs_member'),
    );
    const made = await make(admin, { own_role_id: less });
    expect(made.body).toMatchObject({
      role: 'member',
      own_role: { id: less },
      permissions: ['view_audit_log'],
    });
    const manager = await makeCaller(app.db, owner.orgId);
    await member(manager, { own_role_id: await role(['manage_service_accounts', 'view_audit_log']) });
    expect((await make(manager, { own_role_id: less })).status).toBe(201);
    expect(await make(manager, {})).toMatchObject(refused(403, 'role_not_held'));
  });

  it('are neither changed, renamed nor deleted by who may do less than they may', async () => {
    const { id } = await account(owner, { own_role_id: await role(['change_organization_name']) });
    for (const answer of [
      await change(admin, id, { name: 'Mine' }),
      await call<ErrorBody>(app, 'DELETE', accounts(`/${id}`), { key: admin.key }),
    ])
      expect(answer).toMatchObject(refused(403, 'role_not_held'));
  });

  it('have an owner who is a member and a person, and none when that leaves', async () => {
    const { id } = await account(owner);
    const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id);
    for (const owner_user_id of [id, elsewhere.userId])
      expect(await change(owner, id, { owner_user_id })).toMatchObject(refused(404, 'member_not_found'));
    await change(owner, id, { owner_user_id: admin.userId });
    await removeMember(admin);
    await makeMember(app.db, owner.orgId, 'admin', { id: admin.userId, email: admin.email, name: null });
    const { body } = await call<ServiceAccountResponse>(app, 'GET', accounts(`/${id}`), { key: owner.key });
    expect(body.owner).toBeNull();
  });

  it('are at most a hundred, with a hundred keys each', async () => {
    const { id } = await account(owner);
    await app.db.query(
      `WITH made AS (INSERT INTO users (id, kind, name, confined_to_org_id)
                     SELECT gen_random_uuid(), 'service_account', 'Made', $1 FROM generate_series(1, 98) RETURNING id),
            members AS (INSERT INTO org_members (org_id, user_id, role) SELECT $1, id, 'member' FROM made)
       INSERT INTO service_accounts (user_id, org_id) SELECT id, $1 FROM made`,
      [owner.orgId],
    );
    const made = await Promise.all([make(owner, {}), make(owner, {})]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    await app.db.query(
      `INSERT INTO api_keys (user_id, org_id, prefix, digest, made_by_user_id)
       SELECT $1::uuid, $2, 'ocs_', md5(n || $1::text) || md5(n::text), $3 FROM generate_series(1, 98) n`,
      [id, owner.orgId, owner.userId],
    );
    const keys = await Promise.all([makeAccountKey(owner, id), makeAccountKey(owner, id)]);
    expect(keys.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('are not reached through members, who they are among', async () => {
    const { id } = await account(owner);
    for (const answer of [
      await member({ userId: id }, { role: 'owner' }),
      await removeMember({ userId: id }),
      await call(app, 'POST', org(`/members/${id}/sign-in-link`), { key: owner.key }),
    ])
      expect(answer).toMatchObject(refused(409, 'service_account'));
    const byAdmin = await account(owner, { own_role_id: await role(['change_organization_name']) });
    expect(await removeMember({ userId: byAdmin.id }, admin)).toMatchObject(refused(403, 'rank_too_low'));
  });

  it('are managed by sessions of the last hour, and not by who came by a link', async () => {
    const Cookie = await startSession(app, owner.key);
    await app.db.query(`UPDATE browser_sessions SET created_at = now() - interval '2 hours'`);
    const late = await call(app, 'POST', accounts(), {
      headers: { Cookie, ...FROM_OWN_PAGE },
      body: { name: 'Late' },
    });
    expect(late).toMatchObject(refused(403, 'sign_in_again'));
    const { key } = await makeKey(app.db, admin.userId, { orgId: owner.orgId });
    await app.db.query(
      'UPDATE api_keys SET let_in_by_user_id = $1 WHERE id = (SELECT max(id) FROM api_keys)',
      [owner.userId],
    );
    expect(await make({ ...admin, key }, {})).toMatchObject(refused(403, 'signed_in_by_link'));
  });
});

describe('a key of a service account', () => {
  it('is shown once, listed without its text, and revoked', async () => {
    const { id, key, keyId } = await account(admin);
    const list = () => call<ServiceAccountKeyList>(app, 'GET', accounts(`/${id}/keys`), { key: owner.key });
    const { body } = await list();
    expect(body.items).toMatchObject([{ id: keyId, scopes: null, made_by_user_id: admin.userId }]);
    expect(JSON.stringify(body)).not.toContain(key);
    const revoke = (of: string, which: unknown) =>
      call(app, 'DELETE', accounts(`/${of}/keys/${String(which)}`), { key: owner.key });
    const other = await account(owner);
    expect(await revoke(other.id, keyId)).toMatchObject(refused(404, 'service_account_key_not_found'));
    expect(await revoke(id, owner.keyId)).toMatchObject(refused(404, 'service_account_key_not_found'));
    expect((await revoke(id, keyId)).status).toBe(200);
    expect(await permissionsWith(key)).toBe(401);
    expect((await list()).body.items).toEqual([]);
  });

  it('works in its organization only', async () => {
    const { key } = await account(owner);
    const elsewhere = await makeOrg(app.db);
    const { status, body } = await call<ErrorBody>(app, 'GET', `/api/organizations/${elsewhere.id}`, { key });
    expect([status, body.code]).toEqual([403, 'key_bound_to_other_organization']);
  });

  it('can do what both the account and its maker may, at each use', async () => {
    const { key } = await account(admin, { role: 'admin' });
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('admin')));
    await member(admin, { role: 'member' });
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('member')));
    const me = await call(app, 'GET', '/api/v1/users/me', { key });
    expect(me.body).toMatchObject({ role: 'member' });
    await member(admin, { own_role_id: await role(['view_org_settings', 'view_org_conversations']) });
    expect(await permissionsWith(key)).toEqual(['view_org_settings', 'view_org_conversations']);
    await member(admin, { role: 'admin' });
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('admin')));
  });

  it('can do what the account may, as soon as that changes', async () => {
    const { id, key } = await account(owner);
    await change(owner, id, { role: 'admin' });
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('admin')));
    await change(owner, id, { own_role_id: await role(['view_org_settings']) });
    expect(await permissionsWith(key)).toEqual(['view_org_settings']);
    await change(owner, id, { own_role_id: null });
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('member')));
  });

  it('has scopes that are known, and none beyond those of the key that makes it', async () => {
    const { id } = await account(owner);
    const made = await makeAccountKey(owner, id, { name: 'CI', scopes: ['view_org_settings'] });
    expect(made.body).toMatchObject({ name: 'CI', scopes: ['view_org_settings'] });
    expect(await permissionsWith(made.body.key ?? '')).toEqual(['view_org_settings']);
    expect(await makeAccountKey(owner, id, { scopes: ['fly'] })).toMatchObject(
      refused(400, 'key_scope_unknown'),
    );
    const { key } = await makeKey(app.db, owner.userId);
    await app.db.query(
      `UPDATE api_keys SET scopes = '{manage_service_accounts,use_conversations}'
        WHERE id = (SELECT max(id) FROM api_keys)`,
    );
    const scoped = { ...owner, key };
    expect((await makeAccountKey(scoped, id, { scopes: ['use_conversations'] })).status).toBe(201);
    for (const scopes of [null, ['view_org_settings']])
      expect(await makeAccountKey(scoped, id, { scopes })).toMatchObject(refused(403, 'key_exceeds_maker'));
  });

  it('does not outlive the key that makes it', async () => {
    const { id } = await account(owner);
    const { key } = await makeKey(app.db, owner.userId, { expiresAt: new Date(Date.now() + 3_600_000) });
    expect(await makeAccountKey({ ...owner, key }, id)).toMatchObject(refused(403, 'key_outlives_maker'));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['leaves', () => removeMember(admin)],
    ['is disabled', () => app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [admin.userId])],
    ['is gone', () => app.db.query('DELETE FROM users WHERE id = $1', [admin.userId])],
  ])('ends when its maker %s; those that others made work on', async (_, act) => {
    const { id, key } = await account(admin);
    const { body } = await makeAccountKey(owner, id);
    await act();
    await eventually(async () => expect(await permissionsWith(key)).toBe(401));
    expect(await permissionsWith(body.key ?? '')).toEqual(without(permissionsOf('member')));
  });

  it('does not come back with its maker', async () => {
    const { key } = await account(admin);
    await removeMember(admin);
    await makeMember(app.db, owner.orgId, 'admin', { id: admin.userId, email: admin.email, name: null });
    expect(await permissionsWith(key)).toBe(401);
  });

  it('loses open streams with what its maker may do', async () => {
    const { key } = await account(admin, { role: 'admin' });
    const stream = await StreamReader.open(`${app.url}${org('/events/stream')}`, { key });
    expect(stream.status).toBe(200);
    await member(admin, { role: 'member' });
    await stream.closed();
    expect(JSON.parse(stream.events.at(-1)?.data ?? '')).toMatchObject({ reason: 'permission_lost' });
  });

  it('ends with the account, and so do its streams', async () => {
    const { id, key } = await account(owner, { role: 'admin' });
    const stream = await StreamReader.open(`${app.url}${org('/events/stream')}`, { key });
    expect((await call(app, 'DELETE', accounts(`/${id}`), { key: owner.key })).status).toBe(200);
    expect(await permissionsWith(key)).toBe(401);
    await stream.closed();
    const kinds = await app.db.query<{ kind: string }[]>(
      `SELECT event ->> 'kind' AS kind FROM domain_events WHERE event ->> 'user_id' = $1 ORDER BY id`,
      [id],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['member.removed', 'api_key.revoked']),
    );
  });

  it('keeps settings, secrets and credentials of its own', async () => {
    const { key } = await account(owner);
    const settings = { git_user_name: 'Nightly', git_user_email: 'nightly@example.com' };
    expect((await call(app, 'POST', '/api/v1/settings', { key, body: settings })).status).toBe(200);
    const secret = { name: 'TOKEN', value: 'hidden' };
    expect((await call(app, 'POST', '/api/v1/secrets', { key, body: secret })).status).toBeLessThan(300);
    const own = await call(app, 'GET', '/api/v1/settings', { key });
    expect(own.body).toMatchObject({ git_user_name: 'Nightly' });
    const others = await call(app, 'GET', '/api/v1/settings', { key: owner.key });
    expect(others.body).not.toMatchObject({ git_user_name: 'Nightly' });
  });

  it.each<[string, string, object | null]>([
    ['GET', '/api/keys', null],
    ['POST', '/api/keys', {}],
    ['POST', '/members/invite', { emails: ['new@example.com'] }],
    ['GET', '/members/invite', null],
    ['PATCH', '/members/{admin}', { role: 'member' }],
    ['DELETE', '/members/{admin}', null],
    ['DELETE', '/members/{own}', null],
    ['POST', '/members/{admin}/sign-in-link', null],
    ['POST', '/roles', { name: 'A role', permissions: ['view_audit_log'] }],
    ['GET', '/service-accounts', null],
    ['POST', '/service-accounts', { name: 'Another' }],
    ['POST', '/service-accounts/{own}/keys', {}],
  ])('lets nobody in and gives nobody anything: %s %s', async (method, rest, body) => {
    const { id, key } = await account(owner, { role: 'admin' });
    const path = (rest.startsWith('/api') ? rest : org(rest))
      .replace('{own}', id)
      .replace('{admin}', admin.userId);
    const options: CallOptions = { key, ...(body !== null && { body }) };
    const answer = await call<ErrorBody>(app, method, path, options);
    expect([403, 409]).toContain(answer.status);
    expect(['permission_denied', 'rank_too_low', 'service_account']).toContain(answer.body.code);
  });
});

describe('nobody becomes a service account', () => {
  it('by signing in with its key', async () => {
    const { key } = await account(owner);
    const raw = new URLSearchParams({ key }).toString();
    const headers = { ...FROM_OWN_PAGE, 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, headers: answered, body } = await call<string>(app, 'POST', '/login', { raw, headers });
    expect([status, answered['set-cookie']]).toEqual([403, undefined]);
    expect(body).toContain('service account');
  });

  it('by an address: it has none, and is found by none', async () => {
    const { id, key } = await account(owner);
    const accountsOf = app.app.get(Accounts, { strict: false });
    const state = await accountsOf.findById(app.db.manager, id);
    expect(state).toMatchObject({ kind: 'service_account', email: null, confinedToOrgId: owner.orgId });
    for (const address of ['', 'null', id, `${id}@service-accounts.invalid`, 'Nightly build'])
      expect(await accountsOf.findByEmail(app.db.manager, address)).toBeNull();
    for (const change of [`email = 'claimed@example.com'`, `kind = 'person'`, 'confined_to_org_id = NULL'])
      await expect(app.db.query(`UPDATE users SET ${change} WHERE id = $1`, [id])).rejects.toThrow(
        /users_address|users_service_account/,
      );
    expect(await permissionsWith(key)).toEqual(without(permissionsOf('member')));
  });

  it('by an invitation, which it does not accept either', async () => {
    const { key } = await account(owner);
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const invited = await call<{ successful: { invite_url: string }[] }>(
      app,
      'POST',
      `/api/organizations/${other.orgId}/members/invite`,
      { key: other.key, body: { emails: ['somebody@example.com'] } },
    );
    const token = new URL(invited.body.successful[0]!.invite_url).searchParams.get('token');
    const accepted = await call(app, 'POST', '/api/organizations/members/invite/accept', {
      key,
      body: { token },
    });
    expect(accepted).toMatchObject(refused(403, 'email_mismatch'));
  });

  it('by a key of another service, for which nobody would answer', async () => {
    const { id } = await account(owner);
    const path = `/api/service/users/${id}/orgs/${owner.orgId}/api-keys`;
    const headers = { 'X-Service-API-Key': 'a service key of thirty-two letters' };
    const answer = await call(app, 'POST', path, { headers, body: { name: 'automation' } });
    expect(answer).toMatchObject(refused(404, 'no_such_member'));
  });

  it('as the last owner', async () => {
    await account(owner, { role: 'admin' });
    expect(await removeMember(owner)).toMatchObject(refused(409, 'last_owner'));
  });
});
