import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';

export type Budget = Schemas['BudgetResponse'];
export type BudgetCreate = Schemas['BudgetCreate'];
export type BudgetUpdate = Schemas['BudgetUpdate'];
export type Scope = Budget['scope'];

const all = '/api/organizations/{org_id}/budgets';
const found = '/api/organizations/{org_id}/budgets/search';
const one = '/api/organizations/{org_id}/budgets/{budget_id}';

const PER_PAGE = 50;

/** A page of the budgets, with what is spent of them, and whether the monthly ones are on; null where there are none. */
export async function budgetsOf({ id: org_id }: Organization, pageId: string | null, signal: AbortSignal) {
  const path = { org_id };
  const [page, monthly] = await Promise.all([
    bodyOf(api.GET(found, { params: { path, query: { page_id: pageId, limit: PER_PAGE } }, signal })),
    bodyOf(api.GET(all, { params: { path, query: { users_per_page: 1 } }, signal })),
  ]);
  const { enabled, monthly_limit: limit, default_user_monthly_limit: ofEach } = monthly;
  // Those of users may be on another page.
  const isAll = pageId === null && page.next_page_id === null;
  const hasMonthly = enabled || limit !== null || ofEach !== null || !isAll || page.items.some(isMonthly);
  return { ...page, areMonthlyOn: hasMonthly ? enabled : null };
}

/** Whether it is switched together with the others of each month. */
function isMonthly({ scope, period }: Budget): boolean {
  return period === 'month' && (scope === 'user' || !hasSubject(scope));
}

/** Whether a budget is of one of several, which has to be said. */
export function hasSubject(scope: Scope): scope is Exclude<Scope, 'organization' | 'each_user'> {
  return scope !== 'organization' && scope !== 'each_user';
}

/** Switches those of the organization, of each user and of users, of each month. */
export async function switchMonthly(
  { id: org_id }: Organization,
  body: Pick<Schemas['MonthlyBudgetsUpdate'], 'enabled' | 'reason'>,
): Promise<void> {
  await bodyOf(api.PATCH(all, { params: { path: { org_id } }, body }));
}

export function makeBudget({ id: org_id }: Organization, body: BudgetCreate): Promise<Budget> {
  return bodyOf(api.POST(all, { params: { path: { org_id } }, body }));
}

export function changeBudget(
  { id: org_id }: Organization,
  { id: budget_id }: Budget,
  body: BudgetUpdate,
): Promise<Budget> {
  return bodyOf(api.PATCH(one, { params: { path: { org_id, budget_id } }, body }));
}

export async function deleteBudget({ id: org_id }: Organization, { id: budget_id }: Budget): Promise<void> {
  await bodyOf(api.DELETE(one, { params: { path: { org_id, budget_id } } }));
}
