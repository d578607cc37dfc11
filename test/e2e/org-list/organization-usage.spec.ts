import type { OrgUsage } from '../../../src/conversations/conversations/org-list/usage/usage.dto';
import type { OrgConversationStats } from '../../../src/conversations/conversations/org-list/stats/org-stats.dto';
import { storeConversation, type StoredConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

const DAY_MS = 86_400_000;
const dayOf = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

describe('GET /api/organizations/{org_id}/usage', () => {
  let app: TestApp;
  let admin: TestCaller;
  beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => app.close());
  beforeEach(async () => (admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin')));

  const read = (
    query = '',
    key = admin.key,
    orgId = admin.orgId,
  ): Promise<HttpResponse<OrgUsage & ErrorBody>> =>
    call(app, 'GET', `/api/organizations/${orgId}/usage${query}`, { key });
  const usage = async (query = ''): Promise<OrgUsage> => {
    const { status, body } = await read(query);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const store = (fields: Partial<StoredConversation> = {}): Promise<StoredConversation> =>
    storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId, ...fields });
  const spend = (id: string, cost: number, tokens = 0): Promise<unknown> =>
    app.db.query('SELECT apply_report($1, NULL, NULL, NULL, NULL, $2, $3, 0, 0, 0, 0, 0, 0, true)', [
      id,
      cost,
      tokens,
    ]);
  const fold = (): Promise<unknown> => app.db.query('SELECT usage_fold(1000, 1000, 1000)');
  const at = (ago: number): Pick<StoredConversation, 'created_at' | 'updated_at'> => {
    const time = new Date(Date.now() - ago * DAY_MS);
    return { created_at: time, updated_at: time };
  };

  it('is for admins and owners of the organization', async () => {
    const member = await makeCaller(app.db, admin.orgId);
    expect((await read('', member.key)).body.code).toBe('permission_denied');
    const owner = await makeCaller(app.db, admin.orgId, 'owner');
    expect((await read('', owner.key)).status).toBe(200);
    const foreign = await read('', admin.key, (await makeOrg(app.db)).id);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not_a_member']);
  });

  it('has each of the last 30 days in order, those without anything too', async () => {
    const { items, totals, others, from, to, group_by } = await usage();
    expect([group_by, from, to]).toEqual(['day', dayOf(29), dayOf(0)]);
    expect(items.map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, n) => dayOf(29 - n)));
    for (const { conversations, accumulated_cost } of [...items, totals, others])
      expect([conversations, accumulated_cost]).toEqual([0, 0]);
  });

  it('counts on each day what was made and spent on it, folded or not, deleted conversations too', async () => {
    const old = await store({ ...at(3), accumulated_cost: 1, prompt_tokens: 10, completion_tokens: 5 });
    await fold();
    await spend(old.id, 3, 30);
    const gone = await store({ ...at(1), accumulated_cost: 0.25, cache_read_tokens: 7 });
    await app.db.query('DELETE FROM conversations WHERE id = $1', [gone.id]);
    await store({ ...at(400), accumulated_cost: 9 });
    const zero = { accumulated_cost: 0, prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const cache = { cache_read_tokens: 0, cache_write_tokens: 0 };
    expect(await usage(`?from=${dayOf(3)}&to=${dayOf(0)}`)).toEqual({
      group_by: 'day',
      from: dayOf(3),
      to: dayOf(0),
      items: [
        {
          value: dayOf(3),
          user_email: null,
          conversations: 1,
          ...cache,
          accumulated_cost: 1,
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
        },
        { value: dayOf(2), user_email: null, conversations: 0, ...zero, ...cache },
        {
          value: dayOf(1),
          user_email: null,
          conversations: 1,
          ...zero,
          ...cache,
          accumulated_cost: 0.25,
          cache_read_tokens: 7,
        },
        {
          value: dayOf(0),
          user_email: null,
          conversations: 0,
          ...cache,
          accumulated_cost: 2,
          prompt_tokens: 20,
          completion_tokens: 0,
          total_tokens: 20,
        },
      ],
      others: { conversations: 0, ...zero, ...cache },
      totals: {
        conversations: 2,
        accumulated_cost: 3.25,
        prompt_tokens: 30,
        completion_tokens: 5,
        total_tokens: 35,
        cache_read_tokens: 7,
        cache_write_tokens: 0,
      },
    });
  });

  it('adds up whole months and the days before and after them', async () => {
    const day = (text: string): Pick<StoredConversation, 'created_at' | 'updated_at'> => {
      const time = new Date(`${text}T12:00:00Z`);
      return { created_at: time, updated_at: time };
    };
    const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'];
    for (const [n, text] of days.entries())
      await store({ ...day(text), llm_model: 'model', accumulated_cost: 10 ** n });
    for (const isFolded of [false, true]) {
      if (isFolded) await fold();
      for (const [from, to, cost] of [
        ['2025-12-31', '2026-03-01', 111111],
        ['2026-01-01', '2026-02-28', 11110],
        ['2026-01-01', '2026-01-31', 110],
        ['2026-01-02', '2026-02-28', 11100],
        ['2026-01-31', '2026-02-01', 1100],
        ['2026-01-15', '2026-01-31', 100],
        ['2026-01-31', '2026-01-31', 100],
        ['2026-02-01', '2026-02-27', 1000],
        ['2025-12-01', '2025-12-31', 1],
      ] as const) {
        const { items, totals } = await usage(`?group_by=model&from=${from}&to=${to}`);
        expect([from, to, items]).toMatchObject([from, to, [{ value: 'model', accumulated_cost: cost }]]);
        expect(totals.accumulated_cost).toBe(cost);
      }
    }
  });

  it('has the highest costs first, and everything else together', async () => {
    for (const [n, cost] of [0.5, 4, 1, 0.25].entries())
      await store({ llm_model: `model-${n}`, accumulated_cost: cost });
    await fold();
    await store({ accumulated_cost: 2 });
    const { items, others, totals } = await usage('?group_by=model&limit=2');
    expect(items.map(({ value, accumulated_cost }) => [value, accumulated_cost])).toEqual([
      ['model-1', 4],
      [null, 2],
    ]);
    expect([others.conversations, others.accumulated_cost]).toEqual([3, 1.75]);
    expect([totals.conversations, totals.accumulated_cost]).toEqual([5, 7.75]);
  });

  it('has users with their addresses, also those who are no members any more, and repositories', async () => {
    const other = await makeCaller(app.db, admin.orgId);
    await store({ accumulated_cost: 1, selected_repository: 'https://github.com/a/b' });
    await store({ accumulated_cost: 5, created_by_user_id: other.userId });
    await app.db.query('DELETE FROM users WHERE id = $1', [other.userId]);
    const byUser = await usage('?group_by=user');
    expect(byUser.items).toMatchObject([
      { value: other.userId, user_email: null, accumulated_cost: 5 },
      { value: admin.userId, user_email: admin.email, accumulated_cost: 1 },
    ]);
    const byRepository = await usage('?group_by=repository');
    expect(byRepository.items).toMatchObject([
      { value: null, user_email: null, accumulated_cost: 5 },
      { value: 'https://github.com/a/b', user_email: null, accumulated_cost: 1 },
    ]);
  });

  it('counts a conversation under each of its tags', async () => {
    await store({ accumulated_cost: 2, tags: { team: 'shop', run: 7 } });
    await store({ accumulated_cost: 1, tags: { team: 'shop' } });
    await store({ accumulated_cost: 0.5 });
    const { items, totals } = await usage('?group_by=tag');
    expect(
      items.map(({ value, conversations, accumulated_cost }) => [value, conversations, accumulated_cost]),
    ).toEqual([
      ['team:shop', 2, 3],
      ['run:7', 1, 2],
      [null, 1, 0.5],
    ]);
    expect([totals.conversations, totals.accumulated_cost]).toEqual([3, 3.5]);
  });

  it('adds up to the statistics where nothing was deleted', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await store({
        llm_model: `m${n % 2}`,
        ...at(n),
        accumulated_cost: n / 10,
        prompt_tokens: n,
      });
      await spend(id, 1.1 * n, 100 * n);
      if (n === 2) await fold();
    }
    const path = `/api/organizations/${admin.orgId}/conversations/stats`;
    const stats = await call<OrgConversationStats>(app, 'GET', path, { key: admin.key });
    const { totals } = await usage();
    expect(totals).toEqual(stats.body.usage);
    for (const group of ['user', 'model', 'repository']) {
      const { items, others } = await usage(`?group_by=${group}&limit=1`);
      const cost = items[0]!.accumulated_cost + others.accumulated_cost;
      expect(cost).toBeCloseTo(totals.accumulated_cost, 9);
      expect(items[0]!.conversations + others.conversations).toBe(totals.conversations);
    }
  });

  it('answers a period of 366 days, with one end or both', async () => {
    expect((await usage('?from=2024-01-01&to=2024-12-31')).items).toHaveLength(366);
    expect((await usage('?to=2024-03-01')).from).toBe('2024-02-01');
    expect((await usage(`?from=${dayOf(1)}`)).items).toHaveLength(2);
    expect((await usage('?to=0001-01-01')).items).toHaveLength(1);
  });

  it.each([
    ['from=2026-01-02&to=2026-01-01', 400],
    ['from=2025-01-01&to=2026-01-02', 400],
    ['from=2999-01-01', 400],
    ['from=2026-02-29', 422],
    ['from=2026-1-1', 422],
    ['to=2026-01-01T00:00:00Z', 422],
    ['to=0000-12-31', 422],
    ['to=+010000-01-01', 422],
    ['from=', 422],
    ['group_by=status', 422],
    ['group_by=', 422],
    ['limit=0', 422],
    ['limit=101', 422],
    ['limit=x', 422],
  ])('refuses ?%s with %i', async (query, status) => {
    const response = await read(`?${query}`);
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body.code).toBe('usage_period_invalid');
  });

  it('answers 500 when nothing can be read', async () => {
    await app.db.query('ALTER TABLE usage_by_day RENAME TO elsewhere');
    try {
      expect((await read()).body.code).toBe('conversations_unavailable');
    } finally {
      await app.db.query('ALTER TABLE elsewhere RENAME TO usage_by_day');
    }
  });
});
