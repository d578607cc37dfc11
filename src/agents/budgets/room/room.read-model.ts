import { Statement } from '../../../kernel/database';
import { budgetColumns, type BudgetRow, subjectFor } from '../record/exhausted-budget';

/* By hand because budgets are found by what conversations are, which belong to a module that comes after this one. */

/** Those without room of budgets (`b`) that something of a user counts in, the one that lasts longest first. */
const withoutRoom = (budgets: string, user: string): string => `
  SELECT ${budgetColumns(subjectFor(user))} FROM ${budgets}
    LEFT JOIN budget_spending s ON s.budget_id = b.id AND s.user_id = budget_spender(b.scope, ${user})
     AND s.period_start = budget_period_start(b.period, now())
   WHERE s.exhausted_at IS NOT NULL OR coalesce(s.spent_usd, 0) >= b.limit_usd
      OR coalesce(s.spent_tokens, 0) >= b.limit_tokens
   ORDER BY array_position(ARRAY['total', 'month', 'day'], b.period), b.id LIMIT 1`;

/** A budget without room that a conversation ($1) counts in. */
export const EXHAUSTED_OF_CONVERSATION = new Statement<BudgetRow>(
  withoutRoom(
    `(SELECT * FROM conversations WHERE id = $1) c
    CROSS JOIN LATERAL budgets_of(c.org_id, c.id, c.created_by_user_id, c.selected_repository, c.tags) b`,
    'c.created_by_user_id',
  ),
);

/** A budget without room that a new conversation would count in: of an organization ($1) and a user ($2), with a parent ($3), a repository ($4) and tags ($5). */
export const EXHAUSTED_OF_NEW = new Statement<BudgetRow>(
  withoutRoom('budgets_of($1::uuid, $3::uuid, $2::uuid, $4::text, $5::jsonb) b', '$2::uuid'),
);
