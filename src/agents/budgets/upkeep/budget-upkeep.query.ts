import { Statement } from '../../../kernel/database';
import type { SpendingKey } from '../marks/budget-marks.query';

/** Adds at most so many reported amounts ($1) to the budgets. By hand because a function of the database does it (docs/decisions/0069-budgets.md). */
export const FOLD_DELTAS = new Statement<{
  readonly folded: number;
  readonly crossed: readonly SpendingKey[];
}>('SELECT folded, crossed FROM budget_deltas_fold($1)');
