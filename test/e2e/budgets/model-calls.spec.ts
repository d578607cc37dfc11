import { ModelCalls } from '../../../src/agents/budgets';
import type { ModelCallPage } from '../../../src/agents/budgets/operations/model-calls.dto';
import type { OrgUsage } from '../../../src/conversations/conversations/org-list/usage/usage.dto';
import {
  callOf,
  type ConversationFields,
  makeConversation,
  outcomeOf,
  type SpendingConversation,
} from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let admin: TestCaller;
beforeAll(async () => (app = await startTestApp()));
afterAll(() => app.close());
beforeEach(async () => (admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin')));

const conversation = (fields: ConversationFields = {}): Promise<SpendingConversation> =>
  makeConversation(app.db, { orgId: admin.orgId, userId: admin.userId, ...fields });
async function spend(by: SpendingConversation, cost: number, model = 'openai/gpt-test'): Promise<string> {
  const calls = app.app.get(ModelCalls);
  const reservation = await calls.reserve({ ...callOf(by, cost), model });
  await calls.settle(reservation, outcomeOf(cost, 100, 10));
  return reservation.id;
}
const get = <Body>(path: string, key = admin.key) => call<Body & ErrorBody>(app, 'GET', path, { key });
const list = (query = '', by = admin, orgId = admin.orgId) =>
  get<ModelCallPage>(`/api/organizations/${orgId}/model-calls${query}`, by.key);

describe('the ledger', () => {
  it('has each call, the newest first, in pages', async () => {
    const by = await conversation({ repository: 'acme/tools', tags: { team: 'a' } });
    const ids: string[] = [];
    for (const cost of [0.1, 0.2, 0.3]) ids.unshift(await spend(by, cost));
    const first = await list('?limit=2');
    expect(first.body.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list(`?limit=2&page_id=${first.body.next_page_id}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[2] }], next_page_id: null });
    expect(first.body.items[0]).toMatchObject({
      conversation_id: by.id,
      user_id: admin.userId,
      repository: 'acme/tools',
      tags: { team: 'a' },
      ...{
        model: 'openai/gpt-test',
        provider: 'openai',
        status: 'ok',
        prompt_tokens: 100,
        completion_tokens: 10,
      },
      cost: 0.3,
      usage_reported: true,
      http_status: 200,
      latency_ms: 12,
      first_byte_ms: 3,
    });
  });

  it('keeps repository and tags of those calls only that cost something or had tokens', async () => {
    const by = await conversation({ repository: 'acme/tools', tags: { team: 'a' } });
    const calls = app.app.get(ModelCalls);
    for (const [cost, prompt] of [
      [0, 0],
      [0, 1],
      [0.1, 0],
    ] as const)
      await calls.settle(await calls.reserve(callOf(by, 1)), outcomeOf(cost, prompt, 0));
    const kept = (await list()).body.items.map(({ repository, tags }) => [repository, tags]);
    const whole = ['acme/tools', { team: 'a' }];
    expect(kept).toEqual([whole, whole, [null, {}]]);
  });

  it('is filtered by user, model, conversation and status', async () => {
    const other = await makeCaller(app.db, admin.orgId);
    const [own, theirs] = [await conversation(), await conversation({ userId: other.userId })];
    const ids = [await spend(own, 1), await spend(own, 1, 'openai/other'), await spend(theirs, 1)];
    const reserved = await app.app.get(ModelCalls).reserve(callOf(own, 1));
    const found = async (query: string) => (await list(query)).body.items.map(({ id }) => id);
    expect(await found(`?user_id=${other.userId}`)).toEqual([ids[2]]);
    expect(await found('?model=openai/other')).toEqual([ids[1]]);
    expect(await found(`?conversation_id=${theirs.id}`)).toEqual([ids[2]]);
    expect(await found('?status=reserved')).toEqual([reserved.id]);
    expect(await found(`?conversation_id=${own.id}&status=ok&user_id=${other.userId}`)).toEqual([]);
  });

  it('is kept when its conversation is gone, and shown to admins and owners of its organization alone', async () => {
    const by = await conversation();
    const id = await spend(by, 1);
    await app.db.query('DELETE FROM conversations WHERE id = $1', [by.id]);
    expect((await list()).body.items).toMatchObject([{ id, conversation_id: by.id, cost: 1 }]);
    const member = await makeCaller(app.db, admin.orgId);
    expect(await list('', member)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    expect(await list('', stranger)).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
    expect((await list(`?conversation_id=${by.id}`, stranger, stranger.orgId)).body.items).toEqual([]);
    for (const query of ['?status=gone', '?user_id=x', '?limit=0', '?conversation_id=1'])
      expect((await list(query)).status).toBe(422);
    expect((await list('?page_id=x')).status).toBe(400);
  });
});

describe('the usage', () => {
  it('agrees with the ledger: by day, user, model, repository and tag, and in the list of the organization', async () => {
    const by = await conversation({ repository: 'acme/tools', tags: { team: 'a' } });
    await spend(by, 0.25);
    await spend(by, 0.5, 'openai/other');
    const usage = async (group: string) =>
      (await get<OrgUsage>(`/api/organizations/${admin.orgId}/usage?group_by=${group}`)).body;
    for (const group of ['day', 'user', 'model', 'repository', 'tag'])
      expect((await usage(group)).totals).toMatchObject({ accumulated_cost: 0.75, prompt_tokens: 200 });
    expect((await usage('model')).items).toMatchObject([
      { value: 'openai/other', accumulated_cost: 0.5 },
      { value: 'openai/gpt-test', accumulated_cost: 0.25 },
      { value: null, conversations: 1, accumulated_cost: 0 },
    ]);
    const listed = await get<{ items: { accumulated_cost: number }[] }>(
      `/api/organizations/${admin.orgId}/conversations`,
    );
    expect(JSON.stringify(listed.body)).toContain('"accumulated_cost":0.75');
    const stats = await get<{ total_cost: number }>(`/api/organizations/${admin.orgId}/conversations/stats`);
    expect(stats.body.total_cost).toBe(0.75);
  });

  it('is exported as CSV', async () => {
    const by = await conversation({ tags: { team: '=1+1', more: 'a,b' } });
    await spend(by, 0.25);
    const exported = await get<string>(`/api/organizations/${admin.orgId}/usage/export?group_by=tag`);
    expect(exported.status).toBe(200);
    expect(exported.headers['content-type']).toContain('text/csv');
    const names = 'conversations,accumulated_cost,prompt_tokens,completion_tokens,total_tokens';
    const [header = '', ...lines] = String(exported.body).trimEnd().split('\r\n');
    expect(header.split(',').sort()).toEqual(
      `${names},cache_read_tokens,cache_write_tokens,value,user_email`.split(',').sort(),
    );
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).toContain('"more:a,b"');
    const member = await makeCaller(app.db, admin.orgId);
    const path = `/api/organizations/${admin.orgId}/usage/export`;
    expect(await get(path, member.key)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    expect(await get(`${path}?from=2026-02-02&to=2026-01-01`)).toMatchObject({ status: 400 });
    expect(await get(`${path}?group_by=week`)).toMatchObject({ status: 422 });
  });

  it("is the caller's own for members, by day, model, repository and tag", async () => {
    const member = await makeCaller(app.db, admin.orgId);
    await spend(await conversation(), 5);
    const elsewhere = await makeOrg(app.db);
    const theirs = await conversation({
      userId: member.userId,
      repository: 'acme/tools',
      tags: { team: 'a' },
    });
    await spend(theirs, 1);
    await spend(theirs, 2, 'openai/other');
    await spend(await conversation({ userId: member.userId, orgId: elsewhere.id }), 7);
    const own = async (query: string) =>
      (await get<OrgUsage>(`/api/users/me/usage${query}`, member.key)).body;
    const byDay = await own('');
    expect(byDay.totals).toMatchObject({ accumulated_cost: 3, conversations: 1, total_tokens: 220 });
    expect(byDay.items.at(-1)).toMatchObject({
      value: new Date().toISOString().slice(0, 10),
      accumulated_cost: 3,
    });
    const agrees = async (): Promise<void> => {
      expect(await own('?group_by=model&limit=1')).toMatchObject({
        items: [{ value: 'openai/other', accumulated_cost: 2, conversations: 0 }],
        others: { accumulated_cost: 1, conversations: 1 },
        totals: { accumulated_cost: 3, conversations: 1 },
      });
      for (const [group, value] of [
        ['repository', 'acme/tools'],
        ['tag', 'team:a'],
      ] as const)
        expect(await own(`?group_by=${group}`)).toMatchObject({
          items: [{ value, accumulated_cost: 3, conversations: 1 }],
          totals: { accumulated_cost: 3, conversations: 1 },
        });
    };
    await agrees();
    await app.db.query('SELECT usage_fold(100000, 1000, 100)');
    await agrees();
    for (const query of ['?group_by=user', '?limit=101', '?from=x'])
      expect((await get(`/api/users/me/usage${query}`, member.key)).status).toBe(422);
    expect((await get('/api/users/me/usage?from=2026-02-02&to=2026-01-01', member.key)).status).toBe(400);
    expect((await call(app, 'GET', '/api/users/me/usage')).status).toBe(401);
  });
});
