import fc from 'fast-check';
import {
  BudgetExhaustedError,
  BudgetUpkeep,
  ModelCalls,
  type Reservation,
} from '../../../src/agents/budgets';
import { BUDGET_PERIODS, periodStart } from '../../../src/agents/budgets/record/budget';
import { type Amounts, reportMore } from '../../support/budgets/reports';
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

/** Quarters of a dollar: sums of them are exact. */
const quarters = (max: number) => fc.nat({ max }).map((count) => count / 4);

const step = fc.record({
  kind: fc.constantFrom(
    'reserve',
    'reserve',
    'reserve',
    'settle',
    'settle',
    'release',
    'lose',
    'limit',
    'report',
  ),
  conversation: fc.nat({ max: 2 }),
  budget: fc.nat({ max: 3 }),
  usd: quarters(12),
  tokens: fc.nat({ max: 50 }),
  /** Of what was reserved, in quarters. */
  used: fc.nat({ max: 4 }),
  which: fc.nat({ max: 20 }),
});

/** What a budget has, as it should be. */
interface ModelBudget {
  readonly id: string;
  usd: number | null;
  readonly tokens: number | null;
  readonly covers: readonly number[];
  spent: number;
  spentTokens: number;
  reserved: number;
  reservedTokens: number;
}

interface Open extends Amounts {
  readonly reservation: Reservation;
  readonly conversation: number;
}

let service: TestApp;
let calls: ModelCalls;
beforeAll(async () => {
  service = await startTestApp({ env: { APP_ROLE: 'api' } });
  calls = service.app.get(ModelCalls);
});
afterAll(() => service.close());

async function setUp(): Promise<{ conversations: SpendingConversation[]; budgets: ModelBudget[] }> {
  const { db } = service;
  const { id: orgId } = await makeOrg(db);
  const parent = await makeConversation(db, { orgId, tags: { team: 'a' } });
  const conversations = [
    parent,
    await makeConversation(db, { orgId, parentId: parent.id, repository: 'acme/tools' }),
    await makeConversation(db, { orgId, userId: parent.userId, tags: { team: 'a' } }),
  ];
  const zero = { spent: 0, spentTokens: 0, reserved: 0, reservedTokens: 0 };
  const made = async (
    fields: Parameters<typeof makeBudget>[2] & object,
    covers: number[],
  ): Promise<ModelBudget> => {
    const { usd = null, tokens = null } = fields;
    return { id: await makeBudget(db, orgId, fields), usd, tokens, covers, ...zero };
  };
  return {
    conversations,
    budgets: [
      await made({ usd: 20, period: 'month' }, [0, 1, 2]),
      await made({ scope: 'tag', subject: 'team:a', tokens: 150, period: 'day' }, [0, 2]),
      await made({ scope: 'conversation', subject: parent.id, usd: 8 }, [0, 1]),
      await made({ scope: 'user', subject: parent.userId, usd: 10, tokens: 300 }, [0, 2]),
    ],
  };
}

const hasRoom = (budget: ModelBudget, usd: number, tokens: number): boolean =>
  (budget.usd === null || budget.spent + budget.reserved + usd <= budget.usd) &&
  (budget.tokens === null || budget.spentTokens + budget.reservedTokens + tokens <= budget.tokens);

async function expectAsInModel(budgets: readonly ModelBudget[]): Promise<void> {
  for (const budget of budgets)
    expect(await spendingOf(service.db, budget.id)).toEqual({
      spent_usd: budget.spent,
      spent_tokens: budget.spentTokens,
      reserved_usd: budget.reserved,
      reserved_tokens: budget.reservedTokens,
    });
}

it('budgets have what a model of them has, whatever is reserved, settled, released, lost and changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { conversations, budgets } = await setUp();
      const open: Open[] = [];
      const ahead = new Map<string, Amounts>();
      const end = (ended: Open, usd: number, tokens: number): void => {
        for (const budget of budgets.filter(({ covers }) => covers.includes(ended.conversation))) {
          budget.reserved -= ended.usd;
          budget.reservedTokens -= ended.tokens;
          budget.spent += usd;
          budget.spentTokens += tokens;
        }
      };
      for (const { kind, conversation, budget, usd, tokens, used, which } of steps) {
        const of = conversations[conversation]!;
        const covering = budgets.filter(({ covers }) => covers.includes(conversation));
        if (kind === 'reserve') {
          const isRefused = covering.some((each) => !hasRoom(each, usd, tokens));
          const result = await calls.reserve(callOf(of, usd, tokens)).catch((error: unknown) => error);
          expect(result instanceof BudgetExhaustedError).toBe(isRefused);
          if (result instanceof Error) continue;
          for (const each of covering) {
            each.reserved += usd;
            each.reservedTokens += tokens;
          }
          open.push({ reservation: result as Reservation, conversation, usd, tokens });
        } else if (kind === 'limit') {
          const changed = budgets[budget]!;
          if (changed.usd === null) continue;
          changed.usd = usd * 4;
          await service.db.query('UPDATE budgets SET limit_usd = $2 WHERE id = $1', [
            changed.id,
            changed.usd,
          ]);
        } else if (kind === 'report') {
          const grown = await reportMore(service.db, of.id, { usd, tokens }, which % 2 === 0, ahead);
          await service.app.get(BudgetUpkeep).run();
          for (const each of covering) {
            each.spent += grown.usd;
            each.spentTokens += grown.tokens;
          }
        } else {
          const [ended] = open.splice(which % Math.max(1, open.length), 1);
          if (ended === undefined) continue;
          const [cost, spent] = [(ended.usd * used) / 4, Math.floor((ended.tokens * used) / 4)];
          if (kind === 'settle') {
            await calls.settle(ended.reservation, outcomeOf(cost, spent, 0));
            end(ended, cost, spent);
          } else if (kind === 'release') {
            await calls.release(ended.reservation);
            end(ended, 0, 0);
          } else {
            await service.db.query('UPDATE model_calls SET process_id = gen_random_uuid() WHERE id = $1', [
              ended.reservation.id,
            ]);
            await loseUnseen();
            await settledAsLost(ended);
            end(ended, ended.usd, ended.tokens);
          }
        }
        await expectAsInModel(budgets);
      }
      const [{ ledger, records }] = await service.db.query<[{ ledger: number; records: number }]>(
        `SELECT coalesce(sum(m.cost), 0)::float8 AS ledger,
                coalesce((SELECT sum(c.accumulated_cost) FROM conversations c WHERE c.org_id = $1), 0)::float8 AS records
           FROM model_calls m WHERE m.org_id = $1`,
        [conversations[0]!.orgId],
      );
      expect(records).toBeGreaterThanOrEqual(ledger);
    }),
    { numRuns: rounds(200, 8) },
  );
});

/** The calls of this process are not lost with the one that is of nobody. */
async function loseUnseen(): Promise<void> {
  await service.db.query(`UPDATE model_call_processes SET seen_at = clock_timestamp() + interval '1 hour'`);
  await service.db.query(`SELECT lose_model_calls('0.2 seconds', 100)`);
}

async function settledAsLost({ reservation }: Open): Promise<void> {
  const [row] = await service.db.query<{ status: string }[]>('SELECT status FROM model_calls WHERE id = $1', [
    reservation.id,
  ]);
  expect(row?.status).toBe('lost');
}

it('no budget has more spent and reserved than its limit, whatever comes at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ conversation: fc.nat({ max: 2 }), usd: quarters(8), tokens: fc.nat({ max: 40 }) }),
        {
          minLength: 20,
          maxLength: 80,
        },
      ),
      async (wanted) => {
        const { conversations, budgets } = await setUp();
        const watched = budgets.map(({ id }) => id);
        const most = { over: 0 };
        const work = { isDone: false };
        const watch = (async () => {
          while (!work.isDone) {
            const over = await service.db.query<unknown[]>(
              `SELECT 1 FROM budget_spending s JOIN budgets b ON b.id = s.budget_id WHERE b.id = ANY ($1)
                  AND (s.spent_usd + s.reserved_usd > b.limit_usd OR s.spent_tokens + s.reserved_tokens > b.limit_tokens)`,
              [watched],
            );
            most.over = Math.max(most.over, over.length);
          }
        })();
        await Promise.all(
          wanted.map(async ({ conversation, usd, tokens }) => {
            const result = await calls
              .reserve(callOf(conversations[conversation]!, usd, tokens))
              .catch((error: unknown) => error);
            if (result instanceof BudgetExhaustedError) return;
            await calls.settle(result as Reservation, outcomeOf(usd / 2, Math.floor(tokens / 2), 0));
          }),
        );
        work.isDone = true;
        await watch;
        expect(most.over).toBe(0);
        for (const id of watched)
          expect(await spendingOf(service.db, id)).toMatchObject({ reserved_usd: 0, reserved_tokens: 0 });
      },
    ),
    { numRuns: rounds(100, 5) },
  );
});

it('periods begin in the database on the days on which they begin in the service', async () => {
  const times = Array.from(
    { length: 400 },
    (_, n) => new Date(Date.UTC(2026, 0, 1) + n * 31_556_000 * 3 + n),
  );
  for (const period of BUDGET_PERIODS) {
    const rows = await service.db.query<{ start: string }[]>(
      `SELECT to_char(budget_period_start($1, t.at), 'YYYY-MM-DD') AS start
         FROM unnest($2::timestamptz[]) WITH ORDINALITY AS t (at, n) ORDER BY t.n`,
      [period, times.map((time) => time.toISOString())],
    );
    expect(rows.map(({ start }) => start)).toEqual(times.map((time) => periodStart(period, time)));
  }
});

it('a call counts in the period in which it was reserved, and the next one begins with nothing', async () => {
  const conversation = await makeConversation(service.db);
  const budget = await makeBudget(service.db, conversation.orgId, { usd: 1, period: 'day' });
  const reservation = await calls.reserve(callOf(conversation, 1));
  await expect(calls.reserve(callOf(conversation, 1))).rejects.toBeInstanceOf(BudgetExhaustedError);
  // As if it had begun yesterday.
  await service.db.query(`UPDATE model_calls SET at = at - interval '1 day' WHERE id = $1`, [reservation.id]);
  await service.db.query(`UPDATE budget_spending SET period_start = period_start - 1 WHERE budget_id = $1`, [
    budget,
  ]);
  const next = await calls.reserve(callOf(conversation, 1));
  await calls.settle(reservation, outcomeOf(0.5));
  const periods = await service.db.query<object[]>(
    `SELECT spent_usd::float8 AS spent, reserved_usd::float8 AS reserved FROM budget_spending
      WHERE budget_id = $1 ORDER BY period_start`,
    [budget],
  );
  expect(periods).toEqual([
    { spent: 0.5, reserved: 0 },
    { spent: 0, reserved: 1 },
  ]);
  await calls.release(next);
});
