import { queryRow, type SqlRunner, Statement } from '../../../kernel/database';
import type { BudgetRow } from '../record/exhausted-budget';
import { BUDGET_COLUMNS } from '../record/exhausted-budget';

/** A budget with its present period. */
export interface ShownBudgetRow extends BudgetRow {
  readonly user_email: string | null;
  readonly soft_percent: number | null;
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
  SELECT ${BUDGET_COLUMNS},
         CASE b.scope WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.id = b.subject::uuid) END AS user_email,
         b.soft_percent, coalesce(s.spent_usd, 0)::float8 AS spent_usd,
         coalesce(s.spent_tokens, 0)::float8 AS spent_tokens, coalesce(s.reserved_usd, 0)::float8 AS reserved_usd,
         coalesce(s.reserved_tokens, 0)::float8 AS reserved_tokens, s.soft_reached_at, s.exhausted_at,
         b.created_by_user_id, b.created_at, b.updated_at, now()
    FROM budgets b
    LEFT JOIN budget_spending s ON s.budget_id = b.id AND s.period_start = budget_period_start(b.period, now())`;

/** Budgets of an organization ($1) from an id on ($2; null for the first), so many ($3). */
export const BUDGETS_OF_ORG = new Statement<ShownBudgetRow>(
  `${SHOWN} WHERE b.org_id = $1 AND ($2::uuid IS NULL OR b.id >= $2) ORDER BY b.id LIMIT $3`,
);

/** A budget ($2) of an organization ($1). */
export const BUDGET_OF_ORG = new Statement<ShownBudgetRow>(`${SHOWN} WHERE b.org_id = $1 AND b.id = $2`);

/** Has a new budget ($1) begin with what its period has had. */
export const BEGIN_BUDGET = new Statement('SELECT begin_budget($1)');

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
