import { BudgetExhaustedError, Budgets, ModelCalls } from '../../../src/agents/budgets';
import { BudgetMarks } from '../../../src/agents/budgets/marks/budget-marks';
import { NO_USER } from '../../../src/agents/budgets/record/budget-spending.entity';
import type { SpendingKey } from '../../../src/agents/budgets/marks/budget-marks.query';
import {
  callOf,
  makeBudget,
  makeConversation,
  outcomeOf,
  type SpendingConversation,
} from '../../support/budgets/spending';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';

describe('marks of limits', () => {
  let service: TestApp;
  let calls: ModelCalls;
  let budgets: Budgets;
  let marks: BudgetMarks;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    calls = service.app.get(ModelCalls);
    budgets = service.app.get(Budgets);
    marks = service.app.get(BudgetMarks);
  });
  afterAll(() => service.close());
  afterEach(() => jest.restoreAllMocks());

  const spend = async (conversation: SpendingConversation, usd: number, prompt = 0): Promise<void> =>
    calls.settle(
      await calls.reserve(callOf(conversation, usd, Math.max(prompt, 1))),
      outcomeOf(usd, prompt, 0),
    );
  const spendingOf = (budgetId: string): SpendingKey => ({ budget_id: budgetId, user_id: NO_USER });
  const told = async ({ orgId }: SpendingConversation): Promise<string[]> => {
    const rows = await service.db.query<{ kind: string }[]>(
      `SELECT kind FROM domain_events WHERE org_id = $1 AND kind LIKE 'budget.%' ORDER BY id`,
      [orgId],
    );
    return rows.map(({ kind }) => kind);
  };
  const areWaiting = async (count: number): Promise<void> =>
    eventually(async () => {
      const rows = await service.db.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(count);
    });

  it('are not set by a refused call whose budget is raised meanwhile', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10 });
    await spend(conversation, 9.95);
    const { refused } = await service.db.transaction(async (transaction) => {
      await transaction.query('UPDATE budgets SET limit_usd = 20 WHERE id = $1', [budget]);
      await marks.changed(transaction, budget);
      const refusing = marks.refused(spendingOf(budget), callOf(conversation, 1));
      await areWaiting(1);
      // Not waited for here: it goes on when this is committed.
      return { refused: refusing };
    });
    await refused;
    expect(await budgets.exhaustedFor(conversation.id)).toBeNull();
    expect(await told(conversation)).toEqual([]);
  });

  it('are not set for a call that has room by now, however little that is', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 100 });
    await spend(conversation, 99.5);
    await marks.refused(spendingOf(budget), callOf(conversation, 0.5));
    expect(await budgets.exhaustedFor(conversation.id)).toBeNull();
    await marks.refused(spendingOf(budget), callOf(conversation, 0.6));
    expect(await budgets.exhaustedFor(conversation.id)).toMatchObject({ id: budget });
  });

  it('are of the limit that had no room, not of the other one that is nearly reached', async () => {
    const conversation = await makeConversation(service.db);
    await makeBudget(service.db, conversation.orgId, { usd: 10, tokens: 1_000 });
    await spend(conversation, 9.95, 100);
    await expect(calls.reserve(callOf(conversation, 0.01, 2_000))).rejects.toBeInstanceOf(
      BudgetExhaustedError,
    );
    expect(await budgets.exhaustedFor(conversation.id)).toBeNull();
    await calls.reserve(callOf(conversation, 0.01, 100));
  });

  it('are told of once, by whoever of many is the first', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10, softPercent: 80 });
    await spend(conversation, 7.9);
    await service.db.query('UPDATE budget_spending SET spent_usd = 9.95 WHERE budget_id = $1', [budget]);
    const { all } = await service.db.transaction(async (transaction) => {
      await transaction.query('SELECT FROM budget_spending WHERE budget_id = $1 FOR UPDATE', [budget]);
      const marking = Array.from({ length: 4 }, () =>
        marks.refused(spendingOf(budget), callOf(conversation, 1)),
      );
      await areWaiting(4);
      return { all: marking };
    });
    await Promise.all(all);
    await marks.refused(spendingOf(budget), callOf(conversation, 1));
    expect(await told(conversation)).toEqual(['budget.soft_limit_reached', 'budget.exhausted']);
  });

  it('are no matter for a call whose budget is deleted meanwhile: it has room', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 1 });
    jest.spyOn(marks, 'refused').mockImplementationOnce(async () => {
      await service.db.query('DELETE FROM budgets WHERE id = $1', [budget]);
    });
    await calls.reserve(callOf(conversation, 2));
  });
});
