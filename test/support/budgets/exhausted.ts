import type { DataSource, EntityManager } from 'typeorm';
import { type BudgetFields, makeBudget } from './spending';

/** Has a budget be exhausted, in its present period or so many before it; in place of what was spent. */
export async function exhaust(db: DataSource, budgetId: string, ago = 0): Promise<void> {
  await db.query(
    `INSERT INTO budget_spending (budget_id, period_start, spent_usd, exhausted_at)
     SELECT b.id, budget_period_start(b.period, now() - $2 * CASE b.period WHEN 'day' THEN interval '1 day'
                                                                           ELSE interval '1 month' END),
            b.limit_usd, now()
       FROM budgets b WHERE b.id = $1
     ON CONFLICT (budget_id, user_id, period_start) DO UPDATE SET spent_usd = excluded.spent_usd, exhausted_at = now()`,
    [budgetId, ago],
  );
}

/** Makes a budget of ten dollars that is exhausted, in its present period or so many before it. @returns its id */
export async function makeExhaustedBudget(
  db: DataSource,
  orgId: string,
  fields: BudgetFields = {},
  ago = 0,
): Promise<string> {
  const id = await makeBudget(db, orgId, { usd: 10, ...fields });
  await exhaust(db, id, ago);
  return id;
}

/** Has a budget have room again. */
export async function emptyBudget(db: EntityManager, budgetId: string): Promise<void> {
  await db.query('DELETE FROM budget_spending WHERE budget_id = $1', [budgetId]);
}

/** Removes the budgets of an organization. */
export async function removeBudgets(db: DataSource | EntityManager, orgId: string): Promise<void> {
  await db.query('DELETE FROM budgets WHERE org_id = $1', [orgId]);
}
