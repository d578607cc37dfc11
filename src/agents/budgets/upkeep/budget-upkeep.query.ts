import { Statement } from '../../../kernel/database';
import { NO_USER } from '../record/budget-spending.entity';
import type { SpendingKey } from '../marks/budget-marks.query';

/** Adds at most so many reported amounts ($1) to the budgets. By hand because a function of the database does it (docs/decisions/0069-budgets.md). */
export const FOLD_DELTAS = new Statement<{
  readonly folded: number;
  readonly crossed: readonly SpendingKey[];
}>('SELECT folded, crossed FROM budget_deltas_fold($1)');

/**
 * Removes what single users had spent of budgets for each user in periods that ended more than a month ago: a row for each user and
 * day, which nobody reads any more. By hand because it compares days.
 */
export const FORGET_SPENDING = new Statement(
  `DELETE FROM budget_spending s USING budgets b
    WHERE b.id = s.budget_id AND s.user_id <> '${NO_USER}' AND b.period <> 'total'
      AND s.period_start < (now() AT TIME ZONE 'UTC')::date - 70 RETURNING s.budget_id`,
);
