import { randomUUID } from 'node:crypto';
import { ModelCalls } from '../../../src/agents/budgets';
import type { BudgetPage, BudgetResponse } from '../../../src/agents/budgets/operations/budgets.dto';
import { callOf, makeConversation, outcomeOf } from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let admin: TestCaller;
beforeAll(async () => (app = await startTestApp()));
afterAll(() => app.close());
beforeEach(async () => (admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin')));

const path = (id = '', orgId = admin.orgId): string =>
  `/api/organizations/${orgId}/budgets${id === '' ? '' : `/${id}`}`;
const ask = (method: string, id = '', body?: object, by = admin) =>
  call<BudgetResponse & BudgetPage & ErrorBody>(app, method, path(id, by.orgId), {
    key: by.key,
    ...(body !== undefined && { body }),
  });
const make = async (fields: object = {}): Promise<BudgetResponse> => {
  const wanted = { scope: 'organization', period: 'month', limit_usd: 10, ...fields };
  const { status, body } = await ask('POST', '', wanted);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
};

describe('a budget', () => {
  it('is made, listed, read, changed and deleted', async () => {
    const made = await make({ limit_tokens: 1_000 });
    const month = new Date().toISOString().slice(0, 7);
    expect(made).toMatchObject({
      scope: 'organization',
      subject: null,
      period: 'month',
      limit_usd: 10,
      limit_tokens: 1_000,
      soft_percent: 80,
      spent_usd: 0,
      spent_tokens: 0,
      reserved_usd: 0,
      reserved_tokens: 0,
      period_start: `${month}-01`,
      soft_reached_at: null,
      exhausted_at: null,
      created_by_user_id: admin.userId,
    });
    expect(Date.parse(made.resets_at ?? '')).toBeGreaterThan(Date.now());
    expect((await ask('GET', 'search')).body).toEqual({ items: [made], next_page_id: null });
    expect((await ask('GET', made.id)).body).toEqual(made);
    const changed = await ask('PATCH', made.id, { limit_usd: 5, soft_percent: null });
    expect(changed).toMatchObject({
      status: 200,
      body: { limit_usd: 5, limit_tokens: 1_000, soft_percent: null },
    });
    expect((await ask('DELETE', made.id)).status).toBe(200);
    expect(await ask('GET', made.id)).toMatchObject({ status: 404, body: { code: 'budget_not_found' } });
    expect((await ask('GET', 'search')).body.items).toEqual([]);
  });

  it('is listed in pages', async () => {
    const subjects = ['a:1', 'a:2', 'a:3', 'a:4', 'a:5'];
    for (const subject of subjects) await make({ scope: 'tag', subject });
    const seen: string[] = [];
    for (let page: string | null = ''; page !== null;) {
      const query: string = page === '' ? 'search?limit=2' : `search?limit=2&page_id=${page}`;
      const { body } = await call<BudgetPage>(app, 'GET', path(query), { key: admin.key });
      seen.push(...body.items.map(({ subject }) => subject ?? ''));
      page = body.next_page_id;
    }
    expect(seen.sort()).toEqual(subjects);
  });

  it('is seen and managed by admins and owners of its organization alone', async () => {
    const { id } = await make();
    const member = await makeCaller(app.db, admin.orgId);
    for (const [method, of, body] of [
      ['GET', 'search', undefined],
      ['GET', id, undefined],
      ['POST', '', { scope: 'organization', period: 'day', limit_usd: 1 }],
      ['PATCH', id, { limit_usd: 1 }],
      ['DELETE', id, undefined],
    ] as const)
      expect(await ask(method, of, body, member)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { limit_usd: 1 } : undefined;
      // Of their own organization, which has no such budget; and of the other, in which they are nobody.
      expect(await ask(method, id, body, stranger)).toMatchObject({
        status: 404,
        body: { code: 'budget_not_found' },
      });
      const foreign = await call<ErrorBody>(app, method, path(id), { key: stranger.key, body });
      expect(foreign).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
    }
    expect((await ask('GET', id)).body.limit_usd).toBe(10);
  });

  it.each([
    ['no limit', { scope: 'organization', period: 'day' }],
    ['a negative limit', { scope: 'organization', period: 'day', limit_usd: -1 }],
    ['too high a limit', { scope: 'organization', period: 'day', limit_usd: 1e10 }],
    ['no whole number of tokens', { scope: 'organization', period: 'day', limit_tokens: 1.5 }],
    ['tokens beyond what is exact', { scope: 'organization', period: 'day', limit_tokens: 2 ** 53 }],
    ['an unknown scope', { scope: 'team', period: 'day', limit_usd: 1 }],
    ['an unknown period', { scope: 'organization', period: 'week', limit_usd: 1 }],
    ['a subject of the organization', { scope: 'organization', subject: 'a', period: 'day', limit_usd: 1 }],
    ['no user', { scope: 'user', period: 'day', limit_usd: 1 }],
    ['a user who is no id', { scope: 'user', subject: 'ann', period: 'day', limit_usd: 1 }],
    ['a tag without a name', { scope: 'tag', subject: ':x', period: 'day', limit_usd: 1 }],
    ['a tag without a value', { scope: 'tag', subject: 'x', period: 'day', limit_usd: 1 }],
    ['too long a subject', { scope: 'repository', subject: 'x'.repeat(501), period: 'day', limit_usd: 1 }],
    ['no percentage', { scope: 'organization', period: 'day', limit_usd: 1, soft_percent: 101 }],
  ])('is not made of %s', async (_, wanted) => {
    expect((await ask('POST', '', wanted)).status).toBe(422);
    expect((await ask('GET', 'search')).body.items).toEqual([]);
  });

  it('is about users and conversations of the organization', async () => {
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const elsewhere = await makeConversation(app.db);
    const own = await makeConversation(app.db, { orgId: admin.orgId, userId: admin.userId });
    for (const [scope, subject] of [
      ['user', randomUUID()],
      ['user', stranger.userId],
      ['conversation', randomUUID()],
      ['conversation', elsewhere.id],
    ])
      expect(await ask('POST', '', { scope, subject, period: 'total', limit_usd: 1 })).toMatchObject({
        status: 404,
        body: { code: 'budget_subject_not_found' },
      });
    expect((await make({ scope: 'user', subject: admin.userId.toUpperCase() })).subject).toBe(admin.userId);
    expect((await make({ scope: 'conversation', subject: own.id, period: 'total' })).resets_at).toBeNull();
  });

  it('is one of its scope, subject and period', async () => {
    await make();
    expect(await ask('POST', '', { scope: 'organization', period: 'month', limit_usd: 2 })).toMatchObject({
      status: 409,
      body: { code: 'budget_exists' },
    });
    await make({ period: 'day' });
  });

  it('is one of a thousand at most', async () => {
    await app.db.query(
      `INSERT INTO budgets (id, org_id, scope, subject, period, limit_usd, created_by_user_id)
       SELECT gen_random_uuid(), $1, 'tag', 'n:' || n, 'day', 1, $1 FROM generate_series(1, 1000) n`,
      [admin.orgId],
    );
    expect(await ask('POST', '', { scope: 'organization', period: 'month', limit_usd: 2 })).toMatchObject({
      status: 409,
      body: { code: 'too_many_budgets' },
    });
  });

  it('is raised with a reason, which the audit log has', async () => {
    const { id } = await make({ limit_tokens: 5 });
    for (const wanted of [
      { limit_usd: 11 },
      { limit_usd: null },
      { limit_tokens: 6 },
      { limit_usd: 11, reason: ' ' },
    ])
      expect((await ask('PATCH', id, wanted)).status).toBe(422);
    expect((await ask('PATCH', id, { limit_usd: null, limit_tokens: null, reason: 'x' })).status).toBe(422);
    for (const limit of [20, 30])
      expect(await ask('PATCH', id, { limit_usd: limit, reason: 'Agreed with finance.' })).toMatchObject({
        status: 200,
        body: { limit_usd: limit },
      });
    const logged = await app.db.query<{ event: { changes: object[] } }[]>(
      `SELECT event FROM domain_events WHERE org_id = $1 AND kind = 'audit.recorded'
          AND event ->> 'action' = 'updateBudget' AND event ->> 'outcome' = 'success' ORDER BY id`,
      [admin.orgId],
    );
    expect(logged).toHaveLength(2);
    for (const [n, { event }] of logged.entries()) {
      expect(event.changes.at(-1)).toMatchObject({
        table: 'budgets',
        id,
        after: { limit_usd: [20, 30][n], reason: 'Agreed with finance.' },
      });
    }
  });

  it('begins with what its period has had, and is told of at once where that is too much', async () => {
    const calls = app.app.get(ModelCalls);
    const parent = await makeConversation(app.db, {
      orgId: admin.orgId,
      userId: admin.userId,
      tags: { team: 'a' },
    });
    const child = await makeConversation(app.db, {
      orgId: admin.orgId,
      userId: admin.userId,
      parentId: parent.id,
      repository: 'acme/tools',
    });
    await calls.settle(await calls.reserve(callOf(parent, 2)), outcomeOf(2, 30, 10));
    await app.db.query('SELECT usage_fold(1000, 1000, 1000)');
    await calls.settle(await calls.reserve(callOf(child, 3)), outcomeOf(3, 50, 10));
    const spent = async (fields: object) => {
      const { spent_usd, spent_tokens } = await make({ limit_usd: 100, ...fields });
      return [spent_usd, spent_tokens];
    };
    expect(await spent({})).toEqual([5, 100]);
    expect(await spent({ period: 'total' })).toEqual([5, 100]);
    expect(await spent({ scope: 'user', subject: admin.userId, period: 'day' })).toEqual([5, 100]);
    expect(await spent({ scope: 'tag', subject: 'team:a' })).toEqual([2, 40]);
    expect(await spent({ scope: 'repository', subject: 'acme/tools' })).toEqual([3, 60]);
    for (const period of ['day', 'month', 'total'])
      expect(await spent({ scope: 'conversation', subject: parent.id, period })).toEqual([5, 100]);
    expect(await spent({ scope: 'conversation', subject: child.id })).toEqual([3, 60]);
    const full = await make({ period: 'day', limit_usd: 5 });
    expect(full.exhausted_at).not.toBeNull();
    expect(full.soft_reached_at).not.toBeNull();
    const raised = await ask('PATCH', full.id, { limit_usd: 100, reason: 'More is needed.' });
    expect(raised.body).toMatchObject({ exhausted_at: null, soft_reached_at: null, spent_usd: 5 });
  });

  it('is made once for one Idempotency-Key', async () => {
    const body = { scope: 'organization', period: 'total', limit_usd: 1 };
    const headers = { 'Idempotency-Key': randomUUID() };
    const sent = () => call<BudgetResponse>(app, 'POST', path(), { key: admin.key, body, headers });
    const [first, second] = [await sent(), await sent()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
  });
});
