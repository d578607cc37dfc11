import { PreparedStatement, Statement } from '../../../kernel/database';
import type { SpendingKey } from '../marks/budget-marks.query';
import { budgetColumns, type BudgetRow, subjectFor } from '../record/exhausted-budget';

/*
 * By hand because functions of the database reserve and settle many calls in one statement each: what budgets have room for is
 * decided under the locks of their rows (docs/decisions/0069-budgets.md).
 */

/** A call that was refused. */
export interface RefusedRow {
  /** Its place among those of the statement, from 1. */
  readonly call: number;
  /** The budget that has no room; null where the conversation is not there, or its sandbox does not run. */
  readonly refused_by: string | null;
  /** Whose spending it is, of a budget of each user; all zeros for any other. */
  readonly of_user: string | null;
  /** Whether it is spent, rather than reserved by calls under way. */
  readonly is_spent: boolean | null;
}

/**
 * Reserves calls: their ids ($1), conversations ($2), models ($3), providers ($4), the most dollars ($5) and tokens ($6); of a
 * process ($7). With $8 it waits for no lock for longer than a moment.
 */
export const RESERVE_CALLS = new PreparedStatement<RefusedRow>(
  'reserve-model-calls',
  'SELECT call, refused_by, of_user, is_spent FROM reserve_model_calls($1, $2, $3, $4, $5, $6, $7, $8)',
);

/** Settles calls ($1); the others are what came of them, but $12, as $8 of {@link RESERVE_CALLS}. Returns budgets whose limits were reached. */
export const SETTLE_CALLS = new PreparedStatement<SpendingKey>(
  'settle-model-calls',
  `SELECT of_budget AS budget_id, of_user AS user_id
     FROM settle_model_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** A budget ($1), for whoever was refused; whose spending it is, of one for each user ($2). Says whether it is marked as exhausted. */
export const BUDGET = new Statement<BudgetRow & { readonly is_marked: boolean }>(
  `SELECT ${budgetColumns(subjectFor('$2::uuid'))}, EXISTS (
            SELECT FROM budget_spending s WHERE s.budget_id = b.id AND s.user_id = $2 AND s.exhausted_at IS NOT NULL
               AND s.period_start = budget_period_start(b.period, now())) AS is_marked
     FROM budgets b WHERE b.id = $1`,
);

/** Notes that a process ($1) lives. */
export const SEE_PROCESS = new Statement(
  `INSERT INTO model_call_processes (id, seen_at) VALUES ($1, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING id`,
);

/** A process ($1) has ended. */
export const END_PROCESS = new Statement('DELETE FROM model_call_processes WHERE id = $1 RETURNING id');

/** Settles calls of dead processes as lost: those not seen for a time ($1), so many at most ($2). */
export const LOSE_CALLS = new Statement<{ readonly lost: number; readonly crossed: readonly SpendingKey[] }>(
  'SELECT lost, crossed FROM lose_model_calls($1::interval, $2)',
);
