import { ComposedMarketplaces } from '../../../src/agents/app-settings';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

interface Settings {
  enable_proactive_conversation_starters: boolean;
  max_budget_per_task: number | null;
  registered_marketplaces: { name: string; scope: string }[];
  updated_at: string;
}

const registration = (name: string, more = {}) => ({ name, source: 'github:acme/tools', ...more });
const answered = (name: string, scope: string) => ({
  name,
  source: 'github:acme/tools',
  ref: null,
  repo_path: null,
  auto_load: false,
  scope,
});

let app: TestApp;
beforeAll(async () => {
  const instance = JSON.stringify([registration('shared'), registration('house')]);
  app = await startTestApp({ env: { APP_ROLE: 'api', INSTANCE_MARKETPLACES: instance } });
});
afterAll(() => app.close());

const newOrg = async () => {
  const { id } = await makeOrg(app.db);
  return {
    id,
    member: await makeCaller(app.db, id, 'member'),
    admin: await makeCaller(app.db, id, 'admin'),
  };
};
const read = (path: string, key: string, headers = {}) =>
  call<Settings & ErrorBody>(app, 'GET', path, { key, headers });
const save = (path: string, key: string, body: unknown) =>
  call<Settings & ErrorBody>(app, 'POST', path, { key, body });
const ORG = '/api/organizations/app';
const OWN = '/api/users/app';

describe('GET /api/organizations/app', () => {
  it('answers any member with the defaults until they are saved', async () => {
    const { member } = await newOrg();
    expect(await read(ORG, member.key)).toMatchObject({
      status: 200,
      body: {
        enable_proactive_conversation_starters: true,
        max_budget_per_task: null,
        registered_marketplaces: [],
        updated_at: null,
      },
    });
  });

  it('reads the organization that was selected, in any spelling, and checks it', async () => {
    const [one, two, foreign] = [await newOrg(), await newOrg(), await newOrg()];
    const user = await makeMember(app.db, one.id);
    await makeMember(app.db, two.id, 'member', user);
    const { key } = await makeKey(app.db, user.id);
    await save(ORG, two.admin.key, { max_budget_per_task: 7 });
    const budget = async (query: string, headers = {}) =>
      (await read(ORG + query, key, headers)).body.max_budget_per_task;
    expect(await budget('')).toBeNull();
    expect(await budget(`?org_id=${two.id}`)).toBe(7);
    expect(await budget(`?org_id=${two.id.replaceAll('-', '').toUpperCase()}`)).toBe(7);
    expect(await budget('', { 'X-Org-Id': two.id })).toBe(7);
    expect(await budget(`?org_id=${two.id}`, { 'X-Org-Id': two.id })).toBe(7);
    expect((await read(`${ORG}?org_id=${two.id}`, key, { 'X-Org-Id': one.id })).status).toBe(400);
    expect((await read(`${ORG}?org_id=${foreign.id}`, key)).status).toBe(403);
    expect((await read(`${ORG}?org_id=none`, key)).status).toBe(422);
    const bound = await makeKey(app.db, user.id, { orgId: two.id });
    expect((await read(ORG, bound.key)).body.max_budget_per_task).toBe(7);
    expect((await read(`${ORG}?org_id=${one.id}`, bound.key)).status).toBe(403);
  });
});

describe('POST /api/organizations/app', () => {
  it('writes what is present and answers as GET does', async () => {
    const { admin } = await newOrg();
    const first = await save(ORG, admin.key, {
      max_budget_per_task: 2.5,
      registered_marketplaces: [registration('team', { scope: 'instance', unknown: 1 })],
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        enable_proactive_conversation_starters: true,
        max_budget_per_task: 2.5,
        registered_marketplaces: [answered('team', 'org')],
      },
    });
    const second = await save(ORG, admin.key, { enable_proactive_conversation_starters: false });
    expect(second.body).toMatchObject({
      enable_proactive_conversation_starters: false,
      max_budget_per_task: 2.5,
      registered_marketplaces: [answered('team', 'org')],
    });
    expect((await read(ORG, admin.key)).body).toEqual(second.body);
    expect((await save(ORG, admin.key, { max_budget_per_task: null })).body.max_budget_per_task).toBeNull();
  });

  it('changes nothing for an empty body', async () => {
    const { admin } = await newOrg();
    const before = await save(ORG, admin.key, { max_budget_per_task: 1 });
    expect((await save(ORG, admin.key, {})).body).toEqual(before.body);
  });

  it('needs edit_org_settings for marketplaces and budget, and for nothing else', async () => {
    const { member } = await newOrg();
    for (const body of [{ max_budget_per_task: null }, { registered_marketplaces: [] }])
      expect(await save(ORG, member.key, body)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
    expect((await save(ORG, member.key, { max_budget_per_task: 'x' })).status).toBe(422);
    expect((await save(ORG, member.key, { enable_proactive_conversation_starters: false })).status).toBe(200);
  });

  it('refuses names that stand twice, naming them', async () => {
    const { admin } = await newOrg();
    const twice = [registration('team'), registration('other'), registration(' team ')];
    const { status, body } = await save(ORG, admin.key, { registered_marketplaces: twice });
    expect([status, body.code]).toEqual([400, 'marketplace_names_duplicate']);
    expect(body.detail).toContain('team');
    expect(body.detail).not.toContain('other');
  });

  it('refuses a save that is based on an older version, and writes nothing', async () => {
    const { admin, member } = await newOrg();
    const first = await save(ORG, admin.key, { max_budget_per_task: 1 });
    const known = first.body.updated_at;
    const second = await save(ORG, admin.key, { max_budget_per_task: 2, last_known_updated_at: known });
    expect(second.status).toBe(200);
    expect(second.body.updated_at > known).toBe(true);
    expect(
      await save(ORG, admin.key, { max_budget_per_task: 3, last_known_updated_at: known }),
    ).toMatchObject({ status: 409, body: { code: 'settings_changed' } });
    expect((await read(ORG, member.key)).body).toEqual(second.body);
  });

  it('lets one of several concurrent saves of the same version through', async () => {
    const { admin } = await newOrg();
    const { body } = await save(ORG, admin.key, { max_budget_per_task: 1 });
    const responses = await Promise.all(
      [2, 3, 4, 5].map((budget) =>
        save(ORG, admin.key, { max_budget_per_task: budget, last_known_updated_at: body.updated_at }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('gives every save a later time', async () => {
    const { admin } = await newOrg();
    const saves = await Promise.all(
      Array.from({ length: 20 }, () => save(ORG, admin.key, { max_budget_per_task: 1 })),
    );
    expect(new Set(saves.map(({ body }) => body.updated_at)).size).toBe(20);
  });

  it('refuses a budget that no JSON response can express', async () => {
    const { key } = (await newOrg()).admin;
    const raw = '{"max_budget_per_task": 1e999}';
    const { status } = await call(app, 'POST', ORG, { key, raw });
    expect([400, 422]).toContain(status);
  });
});

describe('GET and POST /api/users/app', () => {
  it('keep registrations of the person, in every organization of theirs', async () => {
    const { member } = await newOrg();
    expect((await read(OWN, member.key)).body).toEqual({ registered_marketplaces: [], updated_at: null });
    const saved = await save(OWN, member.key, { registered_marketplaces: [registration('mine')] });
    expect(saved).toMatchObject({
      status: 200,
      body: { registered_marketplaces: [answered('mine', 'personal')] },
    });
    expect((await read(OWN, member.key)).body).toEqual(saved.body);
    const stale = new Date(Date.parse(saved.body.updated_at) - 1).toISOString();
    expect((await save(OWN, member.key, { last_known_updated_at: stale })).status).toBe(409);
  });
});

describe('what a conversation starts with', () => {
  it('are the registrations of instance, organization and person, composed', async () => {
    const { id, admin } = await newOrg();
    await save(ORG, admin.key, {
      max_budget_per_task: 4,
      registered_marketplaces: [registration('house'), registration('team')],
    });
    await save(OWN, admin.key, { registered_marketplaces: [registration('team'), registration('mine')] });
    const { marketplaces, maxBudgetPerTask } = await app.app
      .get(ComposedMarketplaces)
      .forConversation({ orgId: id, userId: admin.userId, byLink: false });
    expect(marketplaces.map(({ name, scope }) => [name, scope])).toEqual([
      ['shared', 'instance'],
      ['house', 'org'],
      ['team', 'org'],
      ['mine', 'personal'],
    ]);
    expect(maxBudgetPerTask).toBe(4);
  });
});
