import type { OrgMemberResponse, OwnMembership } from '../../../src/accounts/orgs/members/members.dto';
import type { OrgRoleList, OrgRoleResponse } from '../../../src/accounts/orgs/roles/roles.dto';
import type { ValidationIssue } from '../../../src/kernel/validation';
import { permissionsOf, type Role } from '../../../src/kernel/auth';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { linkToken, useLink, letIn } from '../../support/sign-in/link-credentials';
import { StreamReader } from '../../support/streams/stream-reader';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';

const AUDITOR = ['view_org_conversations', 'view_audit_log'];
const INVITER = [...permissionsOf('member'), 'invite_user_to_organization'];

let app: TestApp;
let owner: TestCaller;
let admin: TestCaller;
let member: TestCaller;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());
beforeEach(async () => {
  const { id } = await makeOrg(app.db);
  owner = await makeCaller(app.db, id, 'owner');
  admin = await makeCaller(app.db, id, 'admin');
  member = await makeCaller(app.db, id);
});

type Answer<Body> = Promise<HttpResponse<Body & ErrorBody>>;
const path = (rest = '') => `/api/organizations/${owner.orgId}${rest}`;
const make = (by: TestCaller, name: string, permissions: readonly string[]): Answer<OrgRoleResponse> =>
  call(app, 'POST', path('/roles'), { key: by.key, body: { name, permissions } });
const change = (by: TestCaller, id: string, body: object): Answer<OrgRoleResponse> =>
  call(app, 'PATCH', path(`/roles/${id}`), { key: by.key, body });
const remove = (by: TestCaller, id: string): Answer<object> =>
  call(app, 'DELETE', path(`/roles/${id}`), { key: by.key });
const give = (by: TestCaller, whom: TestCaller, body: object): Answer<OrgMemberResponse> =>
  call(app, 'PATCH', path(`/members/${whom.userId}`), { key: by.key, body });
const me = async (who: TestCaller): Promise<OwnMembership> =>
  (await call<OwnMembership>(app, 'GET', path('/me'), { key: who.key })).body;
const refused = (status: number, code: string) => ({ status, body: { code } });

/** A role that the owner made. */
async function role(name: string, permissions: readonly string[]): Promise<string> {
  const { status, body } = await make(owner, name, permissions);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
}

/** A new member with a role that the owner made and gave them. */
async function holder(permissions: readonly string[], name = 'Its role'): Promise<TestCaller> {
  const who = await makeCaller(app.db, owner.orgId);
  const own_role_id = await role(name, permissions);
  expect((await give(owner, who, { own_role_id })).status).toBe(200);
  return who;
}

describe("an organization's own roles", () => {
  it('are made, listed by name, changed and deleted', async () => {
    const made = await make(owner, ' Reviewer ', ['view_audit_log', 'view_org_conversations']);
    expect(made).toMatchObject({ status: 201, body: { name: 'Reviewer', permissions: AUDITOR } });
    await role('Auditor', AUDITOR);
    const listed = await call<OrgRoleList>(app, 'GET', path('/roles'), { key: member.key });
    expect(listed.body.items.map(({ name }) => name)).toEqual(['Auditor', 'Reviewer']);
    const changed = await change(owner, made.body.id, { name: 'Reader', permissions: ['view_audit_log'] });
    expect(changed.body).toMatchObject({ name: 'Reader', permissions: ['view_audit_log'] });
    expect((await remove(owner, made.body.id)).status).toBe(200);
    expect(await remove(owner, made.body.id)).toMatchObject(refused(404, 'role_not_found'));
    expect(await change(owner, 'no-id', {})).toMatchObject(refused(404, 'role_not_found'));
  });

  it.each(['auditor', 'AUDITOR', ' Auditor'])(
    'have names of their own: not "%s" beside Auditor',
    async (name) => {
      await role('Auditor', AUDITOR);
      const other = await role('Other', AUDITOR);
      expect(await make(owner, name, AUDITOR)).toMatchObject(refused(409, 'role_name_taken'));
      expect(await change(owner, other, { name })).toMatchObject(refused(409, 'role_name_taken'));
      const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
      const { status } = await call(app, 'POST', `/api/organizations/${elsewhere.orgId}/roles`, {
        key: elsewhere.key,
        body: { name, permissions: AUDITOR },
      });
      expect(status).toBe(201);
    },
  );

  it.each(['Owner', 'admin', 'MEMBER'])('do not take the name of one of the three: %s', async (name) => {
    expect(await make(owner, name, AUDITOR)).toMatchObject(refused(409, 'role_name_taken'));
  });

  it.each([
    [{ permissions: AUDITOR }, ['body', 'name']],
    [{ name: ' ', permissions: AUDITOR }, ['body', 'name']],
    [{ name: 'x'.repeat(201), permissions: AUDITOR }, ['body', 'name']],
    [{ name: 'Auditor', permissions: [] }, ['body', 'permissions']],
    [{ name: 'Auditor', permissions: ['view_audit_log', 'view_audit_log'] }, ['body', 'permissions', 1]],
    [{ name: 'Auditor', permissions: ['view_audit_log', 'fly'] }, ['body', 'permissions', 1]],
    [{ name: 'Auditor', permissions: ['acme:none'] }, ['body', 'permissions', 0]],
  ])('are not made of %j', async (body, loc) => {
    const answer = await call<{ detail: ValidationIssue[] }>(app, 'POST', path('/roles'), {
      key: owner.key,
      body,
    });
    expect([answer.status, answer.body.detail.map((issue) => issue.loc)]).toEqual([422, [loc]]);
  });

  it('are at most fifty', async () => {
    await app.db.query(
      `INSERT INTO org_roles (id, org_id, name, permissions)
       SELECT gen_random_uuid(), $1, 'Role ' || n, '{view_audit_log}' FROM generate_series(1, 49) n`,
      [owner.orgId],
    );
    const answers = await Promise.all(['A', 'B', 'C'].map((name) => make(owner, name, AUDITOR)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_roles');
  });

  it('are made once for an Idempotency-Key, and by sessions of the last hour', async () => {
    const headers = { 'Idempotency-Key': 'role-1' };
    const options = { key: owner.key, headers, body: { name: 'Once', permissions: AUDITOR } };
    const [one, two] = [
      await call(app, 'POST', path('/roles'), options),
      await call(app, 'POST', path('/roles'), options),
    ];
    expect([one.status, two.body]).toEqual([201, one.body]);
    const Cookie = await startSession(app, owner.key);
    await app.db.query(`UPDATE browser_sessions SET created_at = now() - interval '2 hours'`);
    const body = { name: 'Late', permissions: AUDITOR };
    const late = await call(app, 'POST', path('/roles'), { headers: { Cookie, ...FROM_OWN_PAGE }, body });
    expect(late).toMatchObject(refused(403, 'sign_in_again'));
  });

  it('are not deleted while a member has them', async () => {
    const who = await holder(AUDITOR);
    const { own_role } = (await give(owner, member, { own_role_id: await role('Other', AUDITOR) })).body;
    expect(await remove(owner, own_role!.id)).toMatchObject(refused(409, 'role_in_use'));
    await give(owner, member, { own_role_id: null });
    expect((await remove(owner, own_role!.id)).status).toBe(200);
    expect((await call(app, 'DELETE', path(`/members/${who.userId}`), { key: owner.key })).status).toBe(200);
  });

  it('are of one organization: none of another is changed, deleted or given', async () => {
    const foreign = await role('Foreign', AUDITOR);
    const { id } = await makeOrg(app.db);
    const [elsewhere, theirs] = [await makeCaller(app.db, id, 'owner'), await makeCaller(app.db, id)];
    for (const [method, rest, body] of [
      ['PATCH', `roles/${foreign}`, { name: 'Taken' }],
      ['DELETE', `roles/${foreign}`, undefined],
      ['PATCH', `members/${theirs.userId}`, { own_role_id: foreign }],
    ] as const) {
      const answer = await call(app, method, `/api/organizations/${id}/${rest}`, {
        key: elsewhere.key,
        body,
      });
      expect(answer).toMatchObject(refused(404, 'role_not_found'));
    }
  });
});

describe('a member with an own role', () => {
  it('is shown with it, ranks as member, and may do what it permits', async () => {
    const own_role_id = await role('Auditor', [...AUDITOR, 'view_org_settings']);
    const own_role = { id: own_role_id, name: 'Auditor' };
    expect((await give(owner, admin, { own_role_id })).body).toMatchObject({ role: 'member', own_role });
    const permissions = ['view_org_settings', ...AUDITOR];
    expect(await me(admin)).toMatchObject({ role: 'member', own_role, permissions });
    const user = await call(app, 'GET', '/api/v1/users/me', { key: admin.key });
    expect(user.body).toMatchObject({ role: 'member', permissions });
    const { body } = await call<{ items: OrgMemberResponse[] }>(app, 'GET', path('/members'), {
      key: owner.key,
    });
    const roles = body.items.map(({ user_id, ...shown }) => [user_id, shown.role, shown.own_role]);
    expect(roles).toContainEqual([admin.userId, 'member', own_role]);
    expect(roles).toContainEqual([member.userId, 'member', null]);
  });

  it.each([
    [{ role: 'member' }, 'member'],
    [{ role: 'ADMIN' }, 'admin'],
    [{ own_role_id: null }, 'member'],
    [{ role: 'owner', own_role_id: null }, 'owner'],
  ])('gets %j in its place', async (body, expected) => {
    const who = await holder(AUDITOR);
    expect((await give(owner, who, body)).body).toMatchObject({ role: expected, own_role: null });
    expect((await me(who)).permissions).toEqual(permissionsOf(expected as Role));
  });

  it('has no other rank', async () => {
    const own_role_id = await role('Auditor', AUDITOR);
    for (const other of ['admin', 'owner'])
      expect(await give(owner, member, { role: other, own_role_id })).toMatchObject(
        refused(400, 'own_role_needs_member'),
      );
    expect((await give(owner, member, { role: 'Member', own_role_id })).status).toBe(200);
    expect(await give(owner, member, {})).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'role'] }] },
    });
    const update = app.db.query(`UPDATE org_members SET role = 'admin' WHERE user_id = $1`, [member.userId]);
    await expect(update).rejects.toThrow('org_members_own_role_rank');
  });

  it('does something else as soon as the role does', async () => {
    const who = await holder(['view_org_settings']);
    const list = () => call(app, 'GET', path('/conversations'), { key: who.key });
    const { own_role } = await me(who);
    expect((await list()).status).toBe(403);
    await change(owner, own_role!.id, { permissions: ['view_org_conversations'] });
    expect((await list()).status).toBe(200);
    await change(owner, own_role!.id, { permissions: ['view_audit_log'] });
    expect((await list()).status).toBe(403);
  });

  it('loses open streams with the permission', async () => {
    const who = await holder(['view_org_conversations', 'view_org_settings']);
    const stream = await StreamReader.open(`${app.url}${path('/events/stream')}`, { key: who.key });
    expect(stream.status).toBe(200);
    const { own_role } = await me(who);
    await change(owner, own_role!.id, { permissions: ['view_org_settings'] });
    await stream.closed();
    expect(JSON.parse(stream.events.at(-1)?.data ?? '')).toMatchObject({ reason: 'permission_lost' });
  });

  it('is not the last owner, so that an owner who would be the last gets none', async () => {
    const own_role_id = await role('Auditor', AUDITOR);
    expect(await give(owner, owner, { own_role_id })).toMatchObject(refused(403, 'own_role'));
  });
});

describe('nobody grants what they lack', () => {
  it('an admin makes, changes, deletes and gives roles of what admins may do, and no others', async () => {
    const [less, more] = [await role('Less', AUDITOR), await role('More', ['change_organization_name'])];
    expect((await make(admin, 'Of an admin', ['manage_webhooks'])).status).toBe(201);
    for (const answer of [
      await make(admin, 'Of an owner', ['view_audit_log', 'delete_organization']),
      await change(admin, less, { permissions: ['change_organization_name'] }),
      await change(admin, more, { permissions: ['view_audit_log'] }),
      await change(admin, more, { name: 'Less than before' }),
      await remove(admin, more),
      await give(admin, member, { own_role_id: more }),
    ])
      expect(answer).toMatchObject(refused(403, 'role_not_held'));
    expect((await give(admin, member, { own_role_id: less })).status).toBe(200);
    expect((await change(admin, less, { permissions: ['manage_webhooks'] })).status).toBe(200);
  });

  it('an admin neither removes nor changes a member who may do what they may not', async () => {
    const who = await holder(['change_organization_name']);
    const removal = await call(app, 'DELETE', path(`/members/${who.userId}`), { key: admin.key });
    for (const answer of [
      removal,
      await give(admin, who, { role: 'member' }),
      await give(admin, who, { own_role_id: null }),
    ])
      expect(answer).toMatchObject(refused(403, 'rank_too_low'));
    expect((await give(owner, who, { role: 'member' })).status).toBe(200);
  });

  it('who has a role that manages roles makes others of it, and does not change it', async () => {
    const who = await holder(['manage_roles', 'view_org_settings', ...AUDITOR]);
    const { own_role } = await me(who);
    expect((await make(who, 'Auditor', AUDITOR)).status).toBe(201);
    expect(await make(who, 'More', ['manage_webhooks'])).toMatchObject(refused(403, 'role_not_held'));
    expect(await change(who, own_role!.id, { name: 'Mine' })).toMatchObject(refused(403, 'own_role'));
    expect(await remove(who, own_role!.id)).toMatchObject(refused(403, 'own_role'));
  });

  it('counts what the key of the maker can do, too', async () => {
    const { key } = await makeKey(app.db, admin.userId);
    await app.db.query(
      `UPDATE api_keys SET scopes = '{manage_roles,view_audit_log}' WHERE id = (SELECT max(id) FROM api_keys)`,
    );
    expect(await make({ ...admin, key }, 'Auditor', AUDITOR)).toMatchObject(refused(403, 'role_not_held'));
    expect((await make({ ...admin, key }, 'Reader', ['view_audit_log'])).status).toBe(201);
  });

  it('who may change roles, by an own role, outranks nobody and so changes none', async () => {
    const who = await holder([...permissionsOf('admin')]);
    expect((await me(who)).permissions).toEqual(permissionsOf('admin'));
    const own_role_id = await role('Auditor', AUDITOR);
    for (const body of [{ role: 'member' }, { role: 'admin' }, { own_role_id }])
      expect(await give(who, member, body)).toMatchObject(refused(403, 'rank_too_low'));
    const removal = await call(app, 'DELETE', path(`/members/${member.userId}`), { key: who.key });
    expect(removal).toMatchObject(refused(403, 'rank_too_low'));
    const link = await call(app, 'POST', path(`/members/${member.userId}/sign-in-link`), { key: who.key });
    expect(link).toMatchObject(refused(403, 'rank_too_low'));
  });

  it('who is made less at the same moment does not give what they had', async () => {
    const more = await role('More', ['change_organization_name']);
    const second = await makeCaller(app.db, owner.orgId, 'owner');
    const [, given] = await Promise.all([
      give(owner, second, { role: 'admin' }),
      give(second, member, { own_role_id: more }),
    ]);
    const answer = await give(second, member, { own_role_id: more });
    expect(answer).toMatchObject(refused(403, given.status === 200 ? 'rank_too_low' : 'role_not_held'));
  });
});

describe('invitations by who has an own role', () => {
  const invite = (by: TestCaller, as: string, email: string) =>
    call<ErrorBody>(app, 'POST', path('/members/invite'), {
      key: by.key,
      body: { emails: [email], role: as },
    });

  it('are as a role of which they have every permission', async () => {
    const who = await holder(INVITER);
    expect((await invite(who, 'member', 'as-member@example.com')).status).toBe(200);
    expect(await invite(who, 'admin', 'as-admin@example.com')).toMatchObject(
      refused(403, 'role_not_grantable'),
    );
    const less = await holder(['invite_user_to_organization'], 'Less');
    expect(await invite(less, 'member', 'by-less@example.com')).toMatchObject(
      refused(403, 'role_not_grantable'),
    );
  });

  it('end when the inviter has that no longer', async () => {
    const who = await holder(
      [...INVITER, 'view_org_settings'].filter((name, at, all) => all.indexOf(name) === at),
    );
    const user = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const token = tokenOf(await inviteOne(app, who, user.email));
    const { own_role } = await me(who);
    await change(owner, own_role!.id, { permissions: ['invite_user_to_organization'] });
    const accept = () =>
      call(app, 'POST', '/api/organizations/members/invite/accept', { key: user.key, body: { token } });
    expect(await accept()).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } });
    await change(owner, own_role!.id, { permissions: INVITER });
    expect((await accept()).status).toBe(200);
  });
});

describe('a sign-in link for a member with an own role', () => {
  const works = async (headers: Readonly<Record<string, string>>) =>
    (await call(app, 'GET', '/api/keys/current', { headers })).status === 200;

  it('is made by who may do all that they may', async () => {
    const [less, more] = [await holder(AUDITOR), await holder(['change_organization_name'], 'More')];
    const link = (by: TestCaller, whom: TestCaller) =>
      call(app, 'POST', path(`/members/${whom.userId}/sign-in-link`), { key: by.key });
    expect((await link(admin, less)).status).toBe(201);
    expect(await link(admin, more)).toMatchObject(refused(403, 'rank_too_low'));
    expect((await link(owner, more)).status).toBe(201);
  });

  it('does not let in as who has got more meanwhile', async () => {
    const who = await holder([...AUDITOR, 'view_org_settings']);
    const token = await linkToken(app, admin, who.userId);
    const { own_role } = await me(who);
    await change(owner, own_role!.id, { permissions: ['change_organization_name'] });
    expect((await useLink(app, token)).status).toBe(403);
  });

  it.each([
    [
      'the role permits something else',
      (id: string) => change(owner, id, { permissions: ['view_audit_log'] }),
    ],
    ['they get another role', () => null],
  ])('ends, with the keys made in it, when %s', async (_, act) => {
    const who = await holder([...AUDITOR, 'manage_api_keys', 'view_org_settings']);
    const { own_role } = await me(who);
    const { session, key } = await letIn(app, admin, who.userId);
    await change(owner, own_role!.id, { name: 'Another name' });
    expect([await works(session), await works({ 'X-Access-Token': key })]).toEqual([true, true]);
    await (act(own_role!.id) ?? give(owner, who, { own_role_id: null }));
    expect([await works(session), await works({ 'X-Access-Token': key })]).toEqual([false, false]);
    expect(await works({ 'X-Access-Token': who.key })).toBe(true);
  });
});
