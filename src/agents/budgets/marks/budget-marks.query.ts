import { Statement } from '../../../kernel/database';
import { budgetColumns, type BudgetRow, subjectFor } from '../record/exhausted-budget';

/** What is spent of a budget; of one for each user, by one of them. */
export interface SpendingKey {
  readonly budget_id: string;
  /** All zeros where it is not one for each user. */
  readonly user_id: string;
}

/** A budget whose limit has been reached, with what was spent. */
export interface MarkedRow extends BudgetRow {
  readonly org_id: string;
  readonly period_start: string;
  readonly spent_usd: number;
  readonly spent_tokens: number;
  /** Whether it was marked just now. */
  readonly is_soft: boolean;
  readonly is_exhausted: boolean;
}

const MARKED = `
  RETURNING s.budget_id, s.user_id, s.period_start, s.spent_usd, s.spent_tokens, s.soft_reached_at, s.exhausted_at`;

const OF_SPENDING = '(s.budget_id, s.user_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';

/** @param which of all that is spent */
const marked = (update: string, which = OF_SPENDING): string => `
  WITH before AS MATERIALIZED (
    SELECT s.* FROM budget_spending s JOIN budgets b ON b.id = s.budget_id
     WHERE ${which} AND s.period_start = budget_period_start(b.period, now())
     ORDER BY s.budget_id, s.user_id FOR NO KEY UPDATE OF s
  ), marked AS (${update} ${MARKED})
  SELECT ${budgetColumns(subjectFor('m.user_id'))}, b.org_id, to_char(m.period_start, 'YYYY-MM-DD') AS period_start,
         m.spent_usd::float8 AS spent_usd, m.spent_tokens::float8 AS spent_tokens,
         m.soft_reached_at IS NOT NULL AND old.soft_reached_at IS NULL AS is_soft,
         m.exhausted_at IS NOT NULL AND old.exhausted_at IS NULL AS is_exhausted
    FROM marked m JOIN budgets b ON b.id = m.budget_id
    JOIN before old ON old.budget_id = m.budget_id AND old.user_id = m.user_id AND old.period_start = m.period_start
   ORDER BY b.id, m.user_id`;

const IS_BEFORE = 'o.budget_id = s.budget_id AND o.user_id = s.user_id AND o.period_start = s.period_start';

const IS_SOFT = `b.enabled AND (s.spent_usd >= b.limit_usd * b.soft_percent / 100
                                OR s.spent_tokens >= b.limit_tokens::numeric * b.soft_percent / 100)`;
const IS_EXHAUSTED = 'b.enabled AND (s.spent_usd >= b.limit_usd OR s.spent_tokens >= b.limit_tokens)';

/*
 * By hand because one statement compares, marks and tells what it was before, so that each limit is told of once
 * (docs/decisions/0069-budgets.md).
 */

/** Marks the limits of budgets ($1), of one for each user those of users ($2), that are reached in the present period. */
export const MARK_REACHED = new Statement<MarkedRow>(
  marked(`
    UPDATE budget_spending s
       SET soft_reached_at = CASE WHEN ${IS_SOFT} THEN coalesce(s.soft_reached_at, now()) ELSE s.soft_reached_at END,
           exhausted_at = CASE WHEN ${IS_EXHAUSTED} THEN coalesce(s.exhausted_at, now()) ELSE s.exhausted_at END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND ${IS_BEFORE}`),
);

/** Marks budgets ($1), of users ($2), as exhausted that had no room for a call, where no more than a hundredth is left: else a smaller call may have room. */
export const MARK_REFUSED = new Statement<MarkedRow>(
  marked(`
    UPDATE budget_spending s SET exhausted_at = now(), soft_reached_at =
             CASE WHEN b.soft_percent IS NULL THEN s.soft_reached_at ELSE coalesce(s.soft_reached_at, now()) END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND ${IS_BEFORE}
       AND b.enabled AND s.exhausted_at IS NULL
       AND (s.spent_usd >= b.limit_usd * 0.99 OR s.spent_tokens >= b.limit_tokens::numeric * 0.99)`),
);

/** As {@link MARK_REACHED} of a budget ($1), or of one user ($2) in it, that was changed: marks of limits that are not reached any more go. */
export const MARK_ANEW = new Statement<MarkedRow>(
  marked(
    `
    UPDATE budget_spending s
       SET soft_reached_at = CASE WHEN ${IS_SOFT} THEN coalesce(s.soft_reached_at, now()) END,
           exhausted_at = CASE WHEN ${IS_EXHAUSTED} THEN coalesce(s.exhausted_at, now()) END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND ${IS_BEFORE}`,
    's.budget_id = $1::uuid AND ($2::uuid IS NULL OR s.user_id = $2)',
  ),
);

/** Budgets whose limits are reached and not marked, as whoever was to do it has died; so many at most ($1). */
export const UNMARKED = new Statement<SpendingKey>(
  `SELECT s.budget_id, s.user_id FROM budget_spending s JOIN budgets b ON b.id = s.budget_id
    WHERE s.exhausted_at IS NULL
      AND s.period_start IN (SELECT budget_period_start(p.period, now()) FROM unnest(ARRAY['day', 'month', 'total']) AS p (period))
      AND s.period_start = budget_period_start(b.period, now()) AND is_crossed(b, s)
    LIMIT $1`,
);
