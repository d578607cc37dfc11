import { randomUUID } from 'node:crypto';
import { ModelCalls } from '../../../src/agents/budgets';
import type {
  MonthlyBudgets,
  UserMonthlyBudget,
} from '../../../src/agents/budgets/monthly/monthly-budgets.dto';
import type { BudgetPage, BudgetResponse } from '../../../src/agents/budgets/operations/budgets.dto';
import { callOf, makeConversation, outcomeOf } from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let calls: ModelCalls;
let admin: TestCaller;
let member: TestCaller;
beforeAll(async () => {
  app = await startTestApp();
  calls = app.app.get(ModelCalls);
});
afterAll(() => app.close());
beforeEach(async () => {
  admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  member = await makeCaller(app.db, admin.orgId);
});

const ask = <T = MonthlyBudgets>(method: string, path = '', body?: object, by = admin) =>
  call<T & ErrorBody>(app, method, `/api/organizations/${by.orgId}/budgets${path}`, {
    key: by.key,
    ...(body !== undefined && { body }),
  });
const patch = async (body: object): Promise<MonthlyBudgets> => {
  const answer = await ask('PATCH', '', body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
};
const all = async (): Promise<BudgetResponse[]> => (await ask<BudgetPage>('GET', '/search')).body.items;
const override = (userId: string, body: object) =>
  ask<UserMonthlyBudget>('PUT', `/overrides/${userId}`, body);
const userOf = (budgets: MonthlyBudgets, userId = member.userId): UserMonthlyBudget | undefined =>
  budgets.users.find(({ user_id }) => user_id === userId);
const conversationOf = ({ orgId, userId }: TestCaller) => makeConversation(app.db, { orgId, userId });
const spend = async (by: TestCaller, cost: number): Promise<void> =>
  calls.settle(await calls.reserve(callOf(await conversationOf(by), cost)), outcomeOf(cost));

describe('the monthly budgets of an organization', () => {
  it('are off, and without a limit, before there are any', async () => {
    const { status, body } = await ask('GET');
    expect(status).toBe(200);
    const month = new Date().toISOString().slice(0, 7);
    expect(body).toMatchObject({
      enabled: false,
      monthly_limit: null,
      reset_day: 1,
      default_user_monthly_limit: null,
      slack_channel: null,
      slack_team_id: null,
      cycle_start_at: `${month}-01T00:00:00.000Z`,
      current_spend: 0,
      current_spend_percentage: 0,
      thresholds: [],
      users_total: 2,
      users_page: 1,
      users_per_page: 50,
    });
    expect(userOf(body)).toEqual({
      user_id: member.userId,
      user_email: member.email,
      user_name: null,
      current_spend: 0,
      monthly_limit: null,
      effective_monthly_limit: null,
      is_disabled: false,
      is_override: false,
    });
  });

  it('are the budgets that there are, in another shape', async () => {
    expect(await patch({ monthly_limit: 20, default_user_monthly_limit: 5 })).toMatchObject({
      enabled: true,
      monthly_limit: 20,
      default_user_monthly_limit: 5,
      thresholds: [
        { id: 1, percentage: 80, email_enabled: true, slack_enabled: false },
        { id: 2, percentage: 100, email_enabled: true, slack_enabled: false },
      ],
    });
    const made = await all();
    expect(made).toHaveLength(2);
    for (const [scope, limit_usd] of [
      ['organization', 20],
      ['each_user', 5],
    ])
      expect(made).toContainEqual(
        expect.objectContaining({ scope, subject: null, period: 'month', limit_usd, enabled: true }),
      );
    await spend(member, 4);
    const body = await patch({ thresholds: [{ percentage: 10 }, { percentage: 100 }] });
    expect(body).toMatchObject({ monthly_limit: 20, current_spend: 4, current_spend_percentage: 20 });
    expect(body.thresholds.map(({ percentage }) => percentage)).toEqual([10, 100]);
    expect(userOf(body)).toMatchObject({ current_spend: 4, effective_monthly_limit: 5, is_override: false });
    const each = (await all()).find(({ scope }) => scope === 'each_user');
    const changed = await ask<BudgetResponse>('PATCH', `/${each?.id}`, { limit_usd: 3 });
    expect(changed.body).toMatchObject({ limit_usd: 3, spent_usd: 4 });
    expect((await ask('GET')).body.default_user_monthly_limit).toBe(3);
    expect(await patch({ default_user_monthly_limit: null, monthly_limit: null })).toMatchObject({
      enabled: true,
      monthly_limit: null,
      default_user_monthly_limit: null,
      thresholds: [],
    });
    expect((await all()).map(({ scope }) => scope)).toEqual(['organization']);
  });

  it('limit nothing while they are off, and begin again with what the month has had', async () => {
    await patch({ monthly_limit: 100, default_user_monthly_limit: 2 });
    expect(await patch({ enabled: false })).toMatchObject({ enabled: false, monthly_limit: 100 });
    await override(admin.userId, { monthly_limit: 1 });
    await spend(member, 3);
    await spend(admin, 3);
    const conversation = await conversationOf(member);
    expect(await patch({ enabled: true })).toMatchObject({ enabled: true, current_spend: 6 });
    expect((await all()).map(({ spent_usd }) => spent_usd).sort()).toEqual([3, 6, 6]);
    for (const each of [conversation, await conversationOf(admin)])
      await expect(calls.reserve(callOf(each, 0.1))).rejects.toMatchObject({ code: 'budget_exhausted' });
  });

  it('tell nobody of a limit that does not count for them', async () => {
    await spend(member, 9);
    await spend(admin, 9);
    await override(member.userId, { is_disabled: true });
    await patch({ default_user_monthly_limit: 5 });
    const told = await app.db.query<{ subject: string }[]>(
      `SELECT event ->> 'subject' AS subject FROM domain_events
        WHERE org_id = $1 AND kind IN ('budget.soft_limit_reached', 'budget.exhausted')`,
      [admin.orgId],
    );
    expect(new Set(told.map(({ subject }) => subject))).toEqual(new Set([admin.userId]));
    await spend(member, 1);
  });

  it('count again by a limit that is said, and show none that does not count', async () => {
    await override(member.userId, { monthly_limit: 1 });
    await patch({ enabled: false, default_user_monthly_limit: 3 });
    const off = (await ask('GET')).body;
    expect(off).toMatchObject({ enabled: false, default_user_monthly_limit: 3 });
    for (const { userId } of [member, admin])
      expect(userOf(off, userId)).toMatchObject({ effective_monthly_limit: null });
    const [own] = (await all()).filter(({ scope }) => scope === 'user');
    await ask('POST', '', { scope: 'organization', period: 'month', limit_usd: 100 });
    expect((await override(member.userId, { monthly_limit: 2 })).body).toMatchObject({
      effective_monthly_limit: 2,
    });
    expect(await all()).toContainEqual(expect.objectContaining({ id: own?.id, enabled: true }));
    await expect(calls.reserve(callOf(await conversationOf(member), 2.5))).rejects.toMatchObject({
      code: 'budget_exhausted',
    });
  });

  it('are not switched on by what says nothing of their limits', async () => {
    await patch({ monthly_limit: 10, default_user_monthly_limit: 5 });
    const organization = (await all()).find(({ scope }) => scope === 'organization');
    await ask('PATCH', `/${organization?.id}`, { enabled: false, reason: 'Agreed with finance.' });
    await patch({ thresholds: [{ percentage: 50 }] });
    expect(await all()).toContainEqual(
      expect.objectContaining({ id: organization?.id, enabled: false, soft_percent: 50 }),
    );
  });

  it('limit nothing while they are on without a limit, and count what the month had once there is one', async () => {
    const on = { enabled: true, monthly_limit: null, default_user_monthly_limit: null, thresholds: [] };
    expect(await patch({ enabled: true })).toMatchObject(on);
    expect(await patch({ enabled: true })).toMatchObject(on);
    expect((await ask('GET')).body).toMatchObject(on);
    for (const by of [member, admin, member]) await spend(by, 1_000);
    expect(await all()).toMatchObject([
      {
        scope: 'organization',
        limit_usd: null,
        limit_tokens: null,
        soft_reached_at: null,
        exhausted_at: null,
      },
    ]);
    const told = await app.db.query<object[]>(
      `SELECT FROM domain_events WHERE org_id = $1 AND kind IN ('budget.soft_limit_reached', 'budget.exhausted')`,
      [admin.orgId],
    );
    expect(told).toEqual([]);
    const conversation = await conversationOf(member);
    expect(await patch({ monthly_limit: 2_000 })).toMatchObject({ enabled: true, current_spend: 3_000 });
    await expect(calls.reserve(callOf(conversation, 0.1))).rejects.toMatchObject({
      code: 'budget_exhausted',
    });
    expect(await patch({ monthly_limit: null })).toMatchObject(on);
    await spend(member, 1);
  });

  it('make none where they are only switched off', async () => {
    expect(await patch({ enabled: false })).toMatchObject({ enabled: false });
    expect(await all()).toEqual([]);
  });

  it('need no reason, and the audit log has what was changed from what to what, by whom, and why', async () => {
    await patch({ monthly_limit: 10 });
    await patch({ monthly_limit: 30, reason: 'Agreed with finance.' });
    await override(member.userId, { monthly_limit: 7 });
    await ask('DELETE', `/overrides/${member.userId}`);
    const logged = await app.db.query<{ event: { action: string; changes: object[] } }[]>(
      `SELECT event FROM domain_events WHERE org_id = $1 AND kind = 'audit.recorded' ORDER BY id`,
      [admin.orgId],
    );
    expect(logged.map(({ event }) => event.action)).toEqual([
      'updateMonthlyBudgets',
      'updateMonthlyBudgets',
      'setBudgetOverride',
      'deleteBudgetOverride',
    ]);
    expect(logged[1]?.event).toMatchObject({ actor: { user_id: admin.userId } });
    expect(logged[1]?.event.changes.at(-1)).toMatchObject({
      table: 'budgets',
      before: { limit_usd: 10 },
      after: { limit_usd: 30, reason: 'Agreed with finance.' },
    });
  });

  it.each([
    { reset_day: 15 },
    { slack_channel: '#spending' },
    { slack_team_id: 'T1' },
    { thresholds: [{ percentage: 50 }, { percentage: 80 }] },
    { thresholds: [{ percentage: 50, slack_enabled: true }] },
    { thresholds: [{ percentage: 50, email_enabled: false }] },
  ])('refuse what cannot be honoured: %j', async (wanted) => {
    expect(await ask('PATCH', '', { monthly_limit: 5, ...wanted })).toMatchObject({
      status: 400,
      body: { code: 'budget_field_not_supported' },
    });
    expect(await all()).toEqual([]);
  });

  it.each([
    { monthly_limit: 0 },
    { monthly_limit: -1 },
    { default_user_monthly_limit: 0 },
    { reset_day: 0 },
    { enabled: 'perhaps' },
    { thresholds: [{ percentage: 101 }] },
    { thresholds: [{}] },
  ])('are not changed by %j', async (wanted) => {
    expect((await ask('PATCH', '', wanted)).status).toBe(422);
    expect(await all()).toEqual([]);
  });

  it('take what means nothing here as it is sent back', async () => {
    await patch({ monthly_limit: 10 });
    const { users: _, ...read } = (await ask('GET')).body;
    expect(await patch(read)).toMatchObject({ ...read, users_page: 1 });
  });

  it('have a page of members, found by any text', async () => {
    const hostile = `%_\\'"<b>فريق`;
    await app.db.query('UPDATE users SET name = $2 WHERE id = $1', [member.userId, hostile]);
    const users = async (query: string): Promise<string[]> => {
      const { status, body } = await ask('GET', `?${query}`);
      expect(status).toBe(200);
      expect(body.users_total).toBeGreaterThanOrEqual(body.users.length);
      return body.users.map(({ user_id }) => user_id);
    };
    const ids = [admin.userId, member.userId].sort();
    expect(await users('')).toEqual(ids);
    expect(await users('users_per_page=1')).toEqual(ids.slice(0, 1));
    expect(await users('users_per_page=1&users_page=2')).toEqual(ids.slice(1));
    expect(await users('users_page=1000000&users_per_page=1000')).toEqual([]);
    for (const text of [hostile, '%_', `'"<`, 'فريق', member.email.toUpperCase()])
      expect(await users(`users_search=${encodeURIComponent(text)}`)).toEqual([member.userId]);
    for (const text of ['%%%', `' OR 1=1 --`, '\u0000x'])
      expect(await users(`users_search=${encodeURIComponent(text)}`)).toEqual([]);
    for (const query of ['users_page=0', 'users_per_page=1001', `users_search=${'x'.repeat(201)}`])
      expect((await ask('GET', `?${query}`)).status).toBe(422);
  });

  it('are seen and changed by who may see and manage budgets', async () => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { monthly_limit: 1 }],
      ['PUT', `/overrides/${member.userId}`, { monthly_limit: 1 }],
      ['DELETE', `/overrides/${member.userId}`, undefined],
    ] as const)
      expect(await ask(method, path, body, member)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
  });
});

describe('the monthly budget of a user', () => {
  it('takes the place of that for each user, which counts again once it has ended', async () => {
    await patch({ default_user_monthly_limit: 5 });
    await spend(member, 4);
    expect(await override(member.userId, { monthly_limit: 6 })).toMatchObject({
      status: 200,
      body: {
        user_id: member.userId,
        current_spend: 4,
        monthly_limit: 6,
        effective_monthly_limit: 6,
        is_disabled: false,
        is_override: true,
      },
    });
    await spend(member, 2);
    const conversation = await conversationOf(member);
    await expect(calls.reserve(callOf(conversation, 1))).rejects.toMatchObject({
      budget: { scope: 'user', limitUsd: 6 },
    });
    expect((await override(member.userId, { monthly_limit: 50 })).body.effective_monthly_limit).toBe(50);
    await calls.release(await calls.reserve(callOf(conversation, 1)));
    expect((await ask('DELETE', `/overrides/${member.userId}`)).status).toBe(204);
    await expect(calls.reserve(callOf(conversation, 0.1))).rejects.toMatchObject({
      budget: { scope: 'each_user', subject: member.userId },
    });
    // What was spent under the own one is told of at once.
    const [told] = await app.db.query<{ event: object }[]>(
      `SELECT event FROM domain_events WHERE org_id = $1 AND kind = 'budget.exhausted' ORDER BY id DESC LIMIT 1`,
      [admin.orgId],
    );
    expect(told?.event).toMatchObject({ scope: 'each_user', subject: member.userId, spent_usd: 6 });
    await calls.release(await calls.reserve(callOf(await conversationOf(admin), 4)));
  });

  it('is no limit where it is disabled, and nothing where it says nothing', async () => {
    await patch({ default_user_monthly_limit: 1 });
    expect((await override(member.userId, { monthly_limit: 3, is_disabled: true })).body).toMatchObject({
      monthly_limit: null,
      effective_monthly_limit: null,
      is_disabled: true,
      is_override: true,
    });
    await spend(member, 20);
    expect((await override(member.userId, { monthly_limit: null })).body).toMatchObject({
      effective_monthly_limit: 1,
      is_disabled: false,
      is_override: false,
    });
    await expect(calls.reserve(callOf(await conversationOf(member), 0.1))).rejects.toMatchObject({
      code: 'budget_exhausted',
    });
    expect(await override(member.userId, { monthly_limit: 0 })).toMatchObject({ status: 422 });
  });

  it('is of a member, and ends also when they have left', async () => {
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id);
    for (const id of [stranger.userId, randomUUID(), 'ann']) {
      expect(await override(id, { monthly_limit: 1 })).toMatchObject({
        status: 404,
        body: { code: 'budget_subject_not_found' },
      });
      expect(await ask('DELETE', `/overrides/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'budget_not_found' },
      });
    }
    await override(member.userId.toUpperCase(), { monthly_limit: 1 });
    await app.db.query('DELETE FROM org_members WHERE user_id = $1', [member.userId]);
    expect(userOf((await ask('GET')).body)).toBeUndefined();
    expect((await override(member.userId, { monthly_limit: 2 })).status).toBe(404);
    expect((await ask('DELETE', `/overrides/${member.userId}`)).status).toBe(204);
    expect(await all()).toEqual([]);
  });
});
