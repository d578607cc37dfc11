/** What a budget is about; of `each_user`, every user has as much for themselves. */
export const BUDGET_SCOPES = [
  'organization',
  'each_user',
  'user',
  'repository',
  'tag',
  'conversation',
] as const;

export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** How long a budget lasts until it begins anew, in UTC; `total` never does. */
export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;

export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Most budgets of an organization. */
export const MAX_BUDGETS = 1_000;
/** Most characters of a subject: ids, repositories and tags. */
export const MAX_SUBJECT = 500;
/** Most characters of a reason. */
export const MAX_REASON = 1_000;
/** The highest limit in dollars. */
export const MOST_USD = 1_000_000_000;

/** The period start of budgets that never begin anew. */
const NO_START = '1970-01-01';

/** The first day of the period that a time is in, as the database writes it. */
export function periodStart(period: BudgetPeriod, at: Date): string {
  const day = at.toISOString().slice(0, 10);
  if (period === 'day') return day;
  return period === 'month' ? `${day.slice(0, 7)}-01` : NO_START;
}

/** When the period that a time is in ends, and the budget begins anew; null for never. */
export function periodEnd(period: BudgetPeriod, at: Date): Date | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === 'day') return new Date(Date.UTC(year, month, day + 1));
  return period === 'month' ? new Date(Date.UTC(year, month + 1, 1)) : null;
}
