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

/** A page of the budgets, with what is spent of them. */
export function budgetsOf({ id: org_id }: Organization, pageId: string | null, signal: AbortSignal) {
  const query = { page_id: pageId, limit: PER_PAGE };
  return bodyOf(api.GET(found, { params: { path: { org_id }, query }, signal }));
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
