import { queryRow, type SqlRunner, Statement } from '../../../kernel/database';
import type { BudgetRow } from '../record/exhausted-budget';
import { budgetColumns } from '../record/exhausted-budget';

/** What of a budget can be changed. */
export interface BudgetLimits {
  readonly limit_usd: number | null;
  readonly limit_tokens: number | null;
  readonly soft_percent: number | null;
  readonly enabled: boolean;
}

/** A budget with its present period; of one for each user what all of them have spent. */
export interface ShownBudgetRow extends BudgetRow, BudgetLimits {
  readonly user_email: string | null;
  readonly spent_usd: number;
  readonly spent_tokens: number;
  readonly reserved_usd: number;
  readonly reserved_tokens: number;
  readonly soft_reached_at: Date | null;
  readonly exhausted_at: Date | null;
  readonly created_by_user_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** When it was read, by the clock that periods begin by. */
  readonly now: Date;
}

/*
 * By hand because budgets are read with their present period, and subjects belong to modules that come after this one or keep
 * them to themselves.
 */

const SHOWN = `
  SELECT ${budgetColumns()},
         CASE b.scope WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.id = b.subject::uuid) END AS user_email,
         b.soft_percent, b.enabled, coalesce(s.spent_usd, 0)::float8 AS spent_usd,
         coalesce(s.spent_tokens, 0)::float8 AS spent_tokens, coalesce(s.reserved_usd, 0)::float8 AS reserved_usd,
         coalesce(s.reserved_tokens, 0)::float8 AS reserved_tokens, s.soft_reached_at, s.exhausted_at,
         b.created_by_user_id, b.created_at, b.updated_at, now()
    FROM budgets b
   CROSS JOIN LATERAL (
     SELECT sum(p.spent_usd) AS spent_usd, sum(p.spent_tokens) AS spent_tokens, sum(p.reserved_usd) AS reserved_usd,
            sum(p.reserved_tokens) AS reserved_tokens,
            min(p.soft_reached_at) FILTER (WHERE b.scope <> 'each_user') AS soft_reached_at,
            min(p.exhausted_at) FILTER (WHERE b.scope <> 'each_user') AS exhausted_at
       FROM budget_spending p WHERE p.budget_id = b.id AND p.period_start = budget_period_start(b.period, now())) s`;

/** Budgets of an organization ($1) from an id on ($2; null for the first), so many ($3). */
export const BUDGETS_OF_ORG = new Statement<ShownBudgetRow>(
  `${SHOWN} WHERE b.org_id = $1 AND ($2::uuid IS NULL OR b.id >= $2) ORDER BY b.id LIMIT $3`,
);

/** A budget ($2) of an organization ($1). */
export const BUDGET_OF_ORG = new Statement<ShownBudgetRow>(`${SHOWN} WHERE b.org_id = $1 AND b.id = $2`);

/** The monthly budgets of an organization ($1), of each user and of users, by id. */
export const MONTHLY_OF_ORG = new Statement<ShownBudgetRow>(
  `${SHOWN} WHERE b.org_id = $1 AND b.period = 'month' AND b.scope IN ('organization', 'each_user', 'user') ORDER BY b.id`,
);

/** The monthly budget of an organization ($1) and that for each user, and that of one user ($2), where there are any. */
export const MONTHLY_FOR = new Statement<ShownBudgetRow>(
  `${SHOWN} WHERE b.org_id = $1 AND b.period = 'month'
            AND (b.scope, b.subject) IN (('organization', ''), ('each_user', ''), ('user', $2)) ORDER BY b.id`,
);

/** Locks the monthly budgets of an organization ($1), of each user and of users. */
export const LOCK_MONTHLY = new Statement<{ readonly enabled: boolean }>(
  `SELECT enabled FROM budgets WHERE org_id = $1 AND period = 'month' AND scope IN ('organization', 'each_user', 'user')
    ORDER BY id FOR NO KEY UPDATE`,
);

/** Has a budget ($1) begin with what its period has had. */
export const BEGIN_BUDGET = new Statement('SELECT begin_budget($1, NULL)');

/** Before a user's own budget ($1) is deleted: has that for each user, if there is one, count for them again. */
export const BEGIN_IN_PLACE_OF = new Statement<{ readonly for_each: string | null }>(
  'SELECT begin_budget_in_place_of($1) AS for_each',
);

/** Whether somebody is a member or a service account of an organization. */
export async function isMember(transaction: SqlRunner, orgId: string, userId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM org_members WHERE org_id = $1 AND user_id = $2';
  return (await queryRow(transaction, sql, [orgId, userId])) !== null;
}

/** Whether an organization has a conversation. */
export async function hasConversation(
  transaction: SqlRunner,
  orgId: string,
  conversationId: string,
): Promise<boolean> {
  const sql = 'SELECT 1 FROM conversations WHERE id = $2 AND org_id = $1 AND deleted_at IS NULL';
  return (await queryRow(transaction, sql, [orgId, conversationId])) !== null;
}
