import { BudgetExhaustedError, Budgets, BudgetUpkeep, ModelCalls } from '../../../src/agents/budgets';
import {
  callOf,
  makeBudget,
  makeConversation,
  outcomeOf,
  spendingOf,
  type SpendingConversation,
} from '../../support/budgets/spending';
import { rounds } from '../../support/rounds';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeOrg } from '../../support/service/factories';

describe('a budget for each user', () => {
  let service: TestApp;
  let calls: ModelCalls;
  let budgets: Budgets;
  let upkeep: BudgetUpkeep;
  let ann: SpendingConversation;
  let ben: SpendingConversation;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    calls = service.app.get(ModelCalls);
    budgets = service.app.get(Budgets);
    upkeep = service.app.get(BudgetUpkeep);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const { id: orgId } = await makeOrg(service.db);
    ann = await makeConversation(service.db, { orgId });
    ben = await makeConversation(service.db, { orgId });
  });

  const make = (fields: object) => makeBudget(service.db, ann.orgId, { scope: 'each_user', ...fields });
  const spend = async (by: SpendingConversation, cost: number): Promise<void> =>
    calls.settle(await calls.reserve(callOf(by, cost)), outcomeOf(cost));
  const events = (): Promise<{ kind: string; subject: string }[]> =>
    service.db.query(
      `SELECT kind, event ->> 'subject' AS subject FROM domain_events WHERE org_id = $1 AND kind LIKE 'budget.%' ORDER BY id`,
      [ann.orgId],
    );

  it('lets one of a hundred callers at once through who have room for one, of each user', async () => {
    for (let round = 0; round < rounds(100, 5); round++) {
      const { id: orgId } = await makeOrg(service.db);
      const users = [
        await makeConversation(service.db, { orgId }),
        await makeConversation(service.db, { orgId }),
      ];
      const budget = await makeBudget(service.db, orgId, { scope: 'each_user', usd: 1.5, period: 'day' });
      await makeBudget(service.db, orgId, { usd: 1_000 });
      const asked = await Promise.allSettled(
        Array.from({ length: 200 }, (_, n) => calls.reserve(callOf(users[n % 2]!, 1))),
      );
      const reserved = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(reserved).toHaveLength(2);
      expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 0, reserved_usd: 2 });
      await Promise.all(reserved.map((each) => calls.settle(each, outcomeOf(1))));
      const rows = await service.db.query<{ user_id: string }[]>(
        `SELECT user_id FROM budget_spending WHERE budget_id = $1 AND spent_usd = 1 AND reserved_usd = 0`,
        [budget],
      );
      expect(rows.map(({ user_id }) => user_id).sort()).toEqual(users.map(({ userId }) => userId).sort());
    }
  });

  it('is exhausted for one, and open for another, which is told of with whose it is', async () => {
    const budget = await make({ usd: 2, period: 'month', softPercent: 50 });
    await spend(ann, 2);
    await expect(calls.reserve(callOf(ann, 1))).rejects.toMatchObject({
      budget: { id: budget, scope: 'each_user', subject: ann.userId, limitUsd: 2 },
    });
    await spend(ben, 1);
    expect(await budgets.exhaustedFor(ann.id)).toMatchObject({ id: budget, subject: ann.userId });
    expect(await budgets.exhaustedFor(ben.id)).toBeNull();
    const { orgId, userId } = ann;
    const next = { orgId, parentConversationId: null, repository: null, tags: {} };
    expect(await budgets.exhaustedForNew({ ...next, userId })).toMatchObject({ subject: userId });
    expect(await budgets.exhaustedForNew({ ...next, userId: ben.userId })).toBeNull();
    expect(await events()).toEqual([
      { kind: 'budget.soft_limit_reached', subject: ann.userId },
      { kind: 'budget.exhausted', subject: ann.userId },
      { kind: 'budget.soft_limit_reached', subject: ben.userId },
    ]);
  });

  it("gives way to a user's own of the same period, also to one without a limit", async () => {
    await make({ usd: 1, period: 'month' });
    await make({ usd: 50, period: 'total' });
    const own = await makeBudget(service.db, ann.orgId, {
      scope: 'user',
      subject: ann.userId,
      period: 'month',
      usd: 3,
    });
    await spend(ann, 3);
    await expect(calls.reserve(callOf(ann, 1))).rejects.toMatchObject({ budget: { id: own } });
    await expect(calls.reserve(callOf(ben, 2))).rejects.toBeInstanceOf(BudgetExhaustedError);
    await service.db.query('UPDATE budgets SET limit_usd = NULL WHERE id = $1', [own]);
    await service.db.query('UPDATE budget_spending SET exhausted_at = NULL WHERE budget_id = $1', [own]);
    await spend(ann, 40);
    // That of another period is another one.
    await expect(calls.reserve(callOf(ann, 10))).rejects.toMatchObject({ budget: { period: 'total' } });
  });

  it('counts nothing, and limits nothing, while it is off', async () => {
    const budget = await make({ usd: 1 });
    await service.db.query('UPDATE budgets SET enabled = false WHERE id = $1', [budget]);
    await spend(ann, 5);
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 0 });
    expect(await budgets.exhaustedFor(ann.id)).toBeNull();
  });

  it('counts what is lost, and what agent servers report, for whose it is', async () => {
    const budget = await make({ usd: 10 });
    const reservation = await calls.reserve(callOf(ann, 4));
    await service.db.query('UPDATE model_calls SET process_id = gen_random_uuid() WHERE id = $1', [
      reservation.id,
    ]);
    await upkeep.lose(undefined, 0.001);
    await service.db.query(
      'SELECT apply_report($1, NULL, NULL, NULL, NULL, 10, 100, 10, 0, 0, 0, 0, 0, true)',
      [ben.id],
    );
    await upkeep.run();
    const spent = await service.db.query<object[]>(
      'SELECT user_id, spent_usd::float8 AS usd FROM budget_spending WHERE budget_id = $1 ORDER BY spent_usd',
      [budget],
    );
    expect(spent).toEqual([
      { user_id: ann.userId, usd: 4 },
      { user_id: ben.userId, usd: 10 },
    ]);
    expect(await events()).toEqual([{ kind: 'budget.exhausted', subject: ben.userId }]);
  });

  it('begins anew with its period', async () => {
    await make({ usd: 1, period: 'day' });
    await spend(ann, 1);
    const shift = (days: number) =>
      service.db.query(
        `UPDATE budget_spending s SET period_start = period_start - $2::integer
           FROM budgets b WHERE b.id = s.budget_id AND b.org_id = $1`,
        [ann.orgId, days],
      );
    await shift(1);
    await spend(ann, 1);
    await expect(calls.reserve(callOf(ann, 1))).rejects.toBeInstanceOf(BudgetExhaustedError);
    const budget = await make({ usd: 1, period: 'total' });
    await spend(ben, 1);
    await shift(70);
    await upkeep.forget();
    const left = await service.db.query<object[]>(
      `SELECT s.user_id FROM budget_spending s JOIN budgets b ON b.id = s.budget_id WHERE b.org_id = $1 AND b.id <> $2
        ORDER BY s.period_start`,
      [ann.orgId, budget],
    );
    // Of the day before, 71 days ago by now, nothing; of today's, which ended 70 days ago, both.
    expect(left).toHaveLength(2);
  });
});
