import { ModelCalls } from '../../../src/agents/budgets';
import type {
  UsageStats,
  UserUsagePage,
} from '../../../src/conversations/conversations/org-list/usage-reports/usage-reports.dto';
import { callOf, makeBudget, makeConversation, outcomeOf } from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let admin: TestCaller;
let member: TestCaller;
beforeAll(async () => (app = await startTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  member = await makeCaller(app.db, admin.orgId);
});

const ask = <T>(path: string, by = admin) =>
  call<T & ErrorBody>(app, 'GET', `/api/organizations/${by.orgId}/conversations/${path}`, { key: by.key });
const spend = async ({ orgId, userId }: TestCaller, cost: number): Promise<string> => {
  const conversation = await makeConversation(app.db, { orgId, userId });
  const calls = app.app.get(ModelCalls);
  await calls.settle(await calls.reserve(callOf(conversation, cost)), outcomeOf(cost, 80, 20));
  return conversation.id;
};
const today = (): string => new Date().toISOString().slice(0, 10);

describe('what an organization used lately', () => {
  it('is told in all, by day, by user and by model', async () => {
    await spend(member, 3);
    await app.db.query('SELECT usage_fold(1000, 1000, 1000)');
    await spend(member, 1);
    await spend(admin, 1);
    const { status, body } = await ask<UsageStats>('usage-stats');
    expect(status).toBe(200);
    expect(body).toMatchObject({ active_users: 2, agent_runs: 3, total_tokens: 300, estimated_spend: 5 });
    expect(body.daily_usage).toHaveLength(7);
    expect(body.daily_usage.at(-1)).toEqual({ date: today(), tokens: 300, conversations: 3 });
    expect(body.daily_usage[0]).toMatchObject({ tokens: 0, conversations: 0 });
    expect(body.team_usage).toEqual([
      {
        user_id: member.userId,
        user_email: member.email,
        user_name: null,
        conversation_count: 2,
        total_tokens: 200,
        percentage: (200 / 300) * 100,
      },
      expect.objectContaining({ user_id: admin.userId, conversation_count: 1, total_tokens: 100 }),
    ]);
    expect(body.model_usage).toContainEqual({
      model_name: 'openai/gpt-test',
      conversation_count: 0,
      total_tokens: 300,
      total_cost: 5,
    });
    expect(body.agent_usage).toEqual([]);
  });

  it('is of the days that are asked for, at most of a year', async () => {
    const days = async (query: string): Promise<number> =>
      (await ask<UsageStats>(`usage-stats?${query}`)).body.daily_usage.length;
    expect(await days('days=1')).toBe(1);
    expect(await days('days=366')).toBe(366);
    expect(await days('days=3&time_window=30d')).toBe(30);
    expect(await days('time_window=90d')).toBe(90);
    const newYear = Date.parse(`${today().slice(0, 4)}-01-01T00:00:00Z`);
    expect(await days('time_window=ytd')).toBe((Date.parse(today()) - newYear) / 86_400_000 + 1);
    for (const most of ['367', '1e300', '99999999999999999999'])
      expect([400, 422]).toContain((await ask(`usage-stats?days=${most}`)).status);
    for (const query of ['days=0', 'days=x', 'time_window=1d'])
      expect((await ask(`usage-stats?${query}`)).status).toBe(422);
  });

  it('is for admins and owners', async () => {
    for (const path of ['usage-stats', 'user-usage'])
      expect(await ask(path, member)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });
});

describe('what each member has used', () => {
  it('is their conversations, their spending, and what they may spend', async () => {
    const first = await spend(member, 2);
    await spend(member, 1);
    await app.db.query('SELECT usage_fold(1000, 1000, 1000)');
    await app.db.query(
      `INSERT INTO usage_by_day SELECT org_id, dimension, '2001-01-01', value, is_rest, first_user_id, 5, 4, 0, 0, 0, 0
         FROM usage_by_day WHERE org_id = $1 AND dimension = 'user'`,
      [admin.orgId],
    );
    await app.db.query(`UPDATE conversations SET deleted_at = now() WHERE id = $1`, [first]);
    await makeBudget(app.db, admin.orgId, { scope: 'each_user', period: 'month', usd: 9 });
    await makeBudget(app.db, admin.orgId, { scope: 'user', subject: admin.userId, period: 'month' });
    await app.db.query(
      `INSERT INTO browser_sessions (api_key_id, digest, last_used_at)
       SELECT id, md5(user_id::text) || md5(user_id::text), now() FROM api_keys WHERE user_id = $1`,
      [member.userId],
    );
    const { status, body } = await ask<UserUsagePage>('user-usage');
    expect(status).toBe(200);
    expect(body.has_more).toBe(false);
    expect(body.items.map(({ user_id }) => user_id)).toEqual([admin.userId, member.userId].sort());
    const [of, none] = [member, admin].map(({ userId }) =>
      body.items.find(({ user_id }) => user_id === userId),
    );
    expect(of).toMatchObject({
      user_email: member.email,
      user_name: null,
      conversation_count: 7,
      prs_merged: null,
      spend_mtd: 3,
      spend_ytd: 3,
      spend_lifetime: 7,
      first_login_at: null,
      budget_monthly_limit: 9,
      budget_is_disabled: false,
    });
    expect(of?.first_conversation_at).toBe(of?.last_conversation_at);
    expect(Date.parse(of?.last_conversation_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(Date.parse(of?.last_login_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(none).toMatchObject({
      ...{
        conversation_count: 0,
        first_conversation_at: null,
        last_conversation_at: null,
        spend_lifetime: 0,
      },
      last_login_at: null,
      budget_monthly_limit: null,
      budget_is_disabled: true,
    });
  });

  it('has limits and sign-ins only for whoever may see these elsewhere', async () => {
    const owner = await makeCaller(app.db, admin.orgId, 'owner');
    await makeBudget(app.db, admin.orgId, { scope: 'user', subject: admin.userId, period: 'month' });
    await makeBudget(app.db, admin.orgId, { scope: 'each_user', period: 'month', usd: 9 });
    await app.db.query(
      `INSERT INTO browser_sessions (api_key_id, digest, last_used_at)
       SELECT id, md5(user_id::text) || md5(user_id::text), now() FROM api_keys WHERE user_id = $1`,
      [admin.userId],
    );
    const url = `/api/organizations/${admin.orgId}`;
    const body = { name: 'Reader', permissions: ['view_org_conversations'] };
    const { body: role } = await call<{ id: string }>(app, 'POST', `${url}/roles`, { key: owner.key, body });
    const reader = { key: owner.key, body: { own_role_id: role.id } };
    expect(await call(app, 'PATCH', `${url}/members/${member.userId}`, reader)).toMatchObject({
      status: 200,
    });
    const seen = (await ask<UserUsagePage>('user-usage', member)).body.items;
    expect(seen).toHaveLength(3);
    for (const user of seen)
      expect(user).toMatchObject({
        budget_monthly_limit: null,
        budget_is_disabled: false,
        last_login_at: null,
      });
  });

  it('is read in parts', async () => {
    const ids = [admin.userId, member.userId].sort();
    for (const [n, id] of ids.entries()) {
      const { body } = await ask<UserUsagePage>(`user-usage?limit=1&offset=${n}`);
      expect(body).toMatchObject({ items: [{ user_id: id }], has_more: n === 0 });
    }
    expect((await ask<UserUsagePage>('user-usage?offset=2')).body).toEqual({ items: [], has_more: false });
    for (const query of ['limit=0', 'limit=2001', 'offset=-1', 'offset=x'])
      expect((await ask(`user-usage?${query}`)).status).toBe(422);
  });
});
