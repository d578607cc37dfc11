import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

interface OrgBody {
  id: string;
  name: string;
  role: string;
}
interface PageBody {
  items: OrgBody[];
  current_org_id: string | null;
  next_page_id: string | null;
}

const A_STRING: unknown = expect.any(String);

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

describe('GET /api/organizations', () => {
  it('lists the organizations of the caller with their role, and the current one', async () => {
    const [first, second, foreign] = [
      await makeOrg(app.db, { name: 'First' }),
      await makeOrg(app.db, { name: 'Second' }),
      await makeOrg(app.db),
    ];
    const user = await makeMember(app.db, first.id, 'owner');
    await makeMember(app.db, second.id, 'member', user);
    const { key } = await makeKey(app.db, user.id);
    const { status, body } = await call<PageBody>(app, 'GET', '/api/organizations', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ current_org_id: first.id, next_page_id: null });
    expect(Object.fromEntries(body.items.map(({ name, role }) => [name, role]))).toEqual({
      First: 'owner',
      Second: 'member',
    });
    expect(body.items.map(({ id }) => id)).not.toContain(foreign.id);
  });

  it('shows a bound key its own organization only, which is then the current one', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, other.id);
    await makeMember(app.db, org.id, 'admin', user);
    const { key } = await makeKey(app.db, user.id, { orgId: org.id });
    const { body } = await call<PageBody>(app, 'GET', '/api/organizations', { key });
    expect(body.items.map(({ id }) => id)).toEqual([org.id]);
    expect(body.current_org_id).toBe(org.id);
  });

  it('is an empty list for somebody who is no member of anything', async () => {
    const { key } = await makeKey(app.db, (await makeUser(app.db)).id);
    const { body } = await call(app, 'GET', '/api/organizations', { key });
    expect(body).toEqual({ items: [], current_org_id: null, next_page_id: null });
  });
});

describe('GET /api/organizations/{org_id}', () => {
  it('answers any member', async () => {
    const org = await makeOrg(app.db, { name: 'Tools' });
    const { key } = await makeCaller(app.db, org.id, 'member');
    const { status, body } = await call(app, 'GET', `/api/organizations/${org.id}`, { key });
    expect(status).toBe(200);
    expect(body).toEqual({ id: org.id, name: 'Tools', role: 'member', created_at: A_STRING });
  });

  it('answers membership and permissions at …/me', async () => {
    const org = await makeOrg(app.db);
    const { key, email, userId } = await makeCaller(app.db, org.id, 'member');
    const { body } = await call(app, 'GET', `/api/organizations/${org.id}/me`, { key });
    expect(body).toEqual({
      org_id: org.id,
      user_id: userId,
      kind: 'person',
      email,
      name: null,
      role: 'member',
      own_role: null,
      status: 'active',
      created_at: A_STRING,
      permissions: [
        'manage_application_settings',
        'view_org_settings',
        'manage_api_keys',
        'view_automations',
        'use_conversations',
      ],
    });
  });
});

describe('POST /api/organizations/{org_id}/switch', () => {
  it('changes the organization of requests without a selector, at once', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const user = await makeMember(app.db, org.id);
    await makeMember(app.db, other.id, 'admin', user);
    const { key } = await makeKey(app.db, user.id);
    const effective = async () =>
      (await call<{ org_id: string }>(app, 'GET', '/api/v1/users/me', { key })).body.org_id;
    expect(await effective()).toBe(org.id);
    const switched = await call(app, 'POST', `/api/organizations/${other.id}/switch`, { key });
    expect(switched).toMatchObject({ status: 200, body: { id: other.id, role: 'admin' } });
    expect(await effective()).toBe(other.id);
  });

  it('refuses somebody who is no member', async () => {
    const [org, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const { key } = await makeCaller(app.db, org.id, 'owner');
    const { status } = await call(app, 'POST', `/api/organizations/${other.id}/switch`, { key });
    expect(status).toBe(403);
  });
});

describe('PATCH /api/organizations/{org_id}', () => {
  it('renames it, for owners only', async () => {
    const org = await makeOrg(app.db);
    const path = `/api/organizations/${org.id}`;
    const owner = await makeCaller(app.db, org.id, 'owner');
    const admin = await makeCaller(app.db, org.id, 'admin');
    const name = ' New\u0000name ';
    expect(await call(app, 'PATCH', path, { key: owner.key, body: { name } })).toMatchObject({
      status: 200,
      body: { id: org.id, name: 'New\uFFFDname', role: 'owner' },
    });
    expect((await call(app, 'PATCH', path, { key: admin.key, body: { name } })).status).toBe(403);
    expect((await call(app, 'PATCH', path, { key: owner.key, body: { name: ' ' } })).status).toBe(422);
  });
});
