import { Statement } from '../../../kernel/database';
import { BUDGET_COLUMNS, type BudgetRow } from '../record/exhausted-budget';

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
  RETURNING s.budget_id, s.period_start, s.spent_usd, s.spent_tokens, s.soft_reached_at, s.exhausted_at`;

const marked = (update: string): string => `
  WITH before AS MATERIALIZED (
    SELECT s.* FROM budget_spending s JOIN budgets b ON b.id = s.budget_id
     WHERE s.budget_id = ANY ($1::uuid[]) AND s.period_start = budget_period_start(b.period, now())
     ORDER BY s.budget_id FOR NO KEY UPDATE OF s
  ), marked AS (${update} ${MARKED})
  SELECT ${BUDGET_COLUMNS}, b.org_id, to_char(m.period_start, 'YYYY-MM-DD') AS period_start,
         m.spent_usd::float8 AS spent_usd, m.spent_tokens::float8 AS spent_tokens,
         m.soft_reached_at IS NOT NULL AND old.soft_reached_at IS NULL AS is_soft,
         m.exhausted_at IS NOT NULL AND old.exhausted_at IS NULL AS is_exhausted
    FROM marked m JOIN budgets b ON b.id = m.budget_id
    JOIN before old ON old.budget_id = m.budget_id AND old.period_start = m.period_start
   ORDER BY b.id`;

const IS_SOFT = `(s.spent_usd >= b.limit_usd * b.soft_percent / 100
                  OR s.spent_tokens >= b.limit_tokens::numeric * b.soft_percent / 100)`;
const IS_EXHAUSTED = '(s.spent_usd >= b.limit_usd OR s.spent_tokens >= b.limit_tokens)';

/*
 * By hand because one statement compares, marks and tells what it was before, so that each limit is told of once
 * (docs/decisions/0069-budgets.md).
 */

/** Marks the limits of budgets ($1) that are reached in the present period. */
export const MARK_REACHED = new Statement<MarkedRow>(
  marked(`
    UPDATE budget_spending s
       SET soft_reached_at = CASE WHEN ${IS_SOFT} THEN coalesce(s.soft_reached_at, now()) ELSE s.soft_reached_at END,
           exhausted_at = CASE WHEN ${IS_EXHAUSTED} THEN coalesce(s.exhausted_at, now()) ELSE s.exhausted_at END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND o.budget_id = s.budget_id AND o.period_start = s.period_start`),
);

/** Marks budgets ($1) as exhausted that had no room for a call, where no more than a hundredth is left: else a smaller call may have room. */
export const MARK_REFUSED = new Statement<MarkedRow>(
  marked(`
    UPDATE budget_spending s SET exhausted_at = now(), soft_reached_at =
             CASE WHEN b.soft_percent IS NULL THEN s.soft_reached_at ELSE coalesce(s.soft_reached_at, now()) END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND o.budget_id = s.budget_id AND o.period_start = s.period_start
       AND s.exhausted_at IS NULL
       AND (s.spent_usd >= b.limit_usd * 0.99 OR s.spent_tokens >= b.limit_tokens::numeric * 0.99)`),
);

/** As {@link MARK_REACHED} of a budget ($1) whose limits were changed: marks of limits that are not reached any more go. */
export const MARK_ANEW = new Statement<MarkedRow>(
  marked(`
    UPDATE budget_spending s
       SET soft_reached_at = CASE WHEN ${IS_SOFT} THEN coalesce(s.soft_reached_at, now()) END,
           exhausted_at = CASE WHEN ${IS_EXHAUSTED} THEN coalesce(s.exhausted_at, now()) END
      FROM budgets b, before o
     WHERE b.id = s.budget_id AND o.budget_id = s.budget_id AND o.period_start = s.period_start`),
);

/** Budgets whose limits are reached and not marked, as whoever was to do it has died; so many at most ($1). */
export const UNMARKED = new Statement<{ readonly id: string }>(
  `SELECT s.budget_id AS id FROM budget_spending s JOIN budgets b ON b.id = s.budget_id
    WHERE s.exhausted_at IS NULL
      AND s.period_start IN (SELECT budget_period_start(p.period, now()) FROM unnest(ARRAY['day', 'month', 'total']) AS p (period))
      AND s.period_start = budget_period_start(b.period, now()) AND is_crossed(b, s)
    LIMIT $1`,
);
