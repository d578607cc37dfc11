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

const OF_SPENDING = '(s.budget_id, s.user_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';

/**
 * Budgets and then what is spent of them are locked before they are compared, and only what they are under these locks counts: a
 * limit that is being changed is waited for, and of two that mark at the same time the second one finds the mark.
 * @param which of all that is spent
 */
const marked = (
  soft: string,
  exhausted: string,
  budgets = 'id = ANY ($1::uuid[])',
  which = OF_SPENDING,
): string => `
  WITH limits AS MATERIALIZED (
    SELECT * FROM budgets WHERE ${budgets} ORDER BY id FOR SHARE
  ), held AS MATERIALIZED (
    SELECT s.* FROM budget_spending s JOIN limits b ON b.id = s.budget_id
     WHERE ${which} AND s.period_start = budget_period_start(b.period, now())
       AND is_budget_of(s.user_id, b.org_id, b.scope, b.period)
     ORDER BY s.budget_id, s.user_id FOR NO KEY UPDATE OF s
  ), marked AS (
    UPDATE budget_spending u SET soft_reached_at = ${soft}, exhausted_at = ${exhausted}
      FROM held s JOIN limits b ON b.id = s.budget_id
     WHERE u.budget_id = s.budget_id AND u.user_id = s.user_id AND u.period_start = s.period_start
       AND (s.soft_reached_at, s.exhausted_at) IS DISTINCT FROM (${soft}, ${exhausted})
    RETURNING u.budget_id, u.user_id, u.period_start, u.spent_usd, u.spent_tokens,
              u.soft_reached_at IS NOT NULL AND s.soft_reached_at IS NULL AS is_soft,
              u.exhausted_at IS NOT NULL AND s.exhausted_at IS NULL AS is_exhausted
  )
  SELECT ${budgetColumns(subjectFor('m.user_id'))}, b.org_id, to_char(m.period_start, 'YYYY-MM-DD') AS period_start,
         m.spent_usd::float8 AS spent_usd, m.spent_tokens::float8 AS spent_tokens, m.is_soft, m.is_exhausted
    FROM marked m JOIN limits b ON b.id = m.budget_id
   ORDER BY b.id, m.user_id`;

const when = (condition: string, column: string, otherwise: string): string =>
  `CASE WHEN ${condition} THEN coalesce(${column}, now()) ELSE ${otherwise} END`;

const IS_SOFT = `b.enabled AND (s.spent_usd >= b.limit_usd * b.soft_percent / 100
                                OR s.spent_tokens >= b.limit_tokens::numeric * b.soft_percent / 100)`;
const IS_EXHAUSTED = 'b.enabled AND (s.spent_usd >= b.limit_usd OR s.spent_tokens >= b.limit_tokens)';
/** What is left of a limit is less than a call ($3, $4) may take, and no more than a hundredth: else a smaller call may have room. */
const IS_AS_GOOD_AS_SPENT = `b.enabled AND (
  s.spent_usd + $3 > b.limit_usd AND s.spent_usd >= b.limit_usd * 0.99
  OR s.spent_tokens + $4 > b.limit_tokens AND s.spent_tokens >= b.limit_tokens::numeric * 0.99)`;

/*
 * By hand because one statement compares, marks and tells what it was before, so that each limit is told of once
 * (docs/decisions/0069-budgets.md).
 */

/** Marks the limits of budgets ($1), of one for each user those of users ($2), that are reached in the present period. */
export const MARK_REACHED = new Statement<MarkedRow>(
  marked(
    when(IS_SOFT, 's.soft_reached_at', 's.soft_reached_at'),
    when(IS_EXHAUSTED, 's.exhausted_at', 's.exhausted_at'),
  ),
);

/**
 * Marks budgets ($1), of users ($2), as exhausted that have no room for a call with these dollars ($3) and tokens ($4), where
 * hardly anything is left.
 */
export const MARK_REFUSED = new Statement<MarkedRow>(
  marked(
    when(`b.soft_percent IS NOT NULL AND ${IS_AS_GOOD_AS_SPENT}`, 's.soft_reached_at', 's.soft_reached_at'),
    when(IS_AS_GOOD_AS_SPENT, 's.exhausted_at', 's.exhausted_at'),
  ),
);

/** As {@link MARK_REACHED} of a budget ($1), or of one user ($2) in it, that was changed: marks of limits that are not reached any more go. */
export const MARK_ANEW = new Statement<MarkedRow>(
  marked(
    when(IS_SOFT, 's.soft_reached_at', 'NULL'),
    when(IS_EXHAUSTED, 's.exhausted_at', 'NULL'),
    'id = $1::uuid',
    '($2::uuid IS NULL OR s.user_id = $2)',
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
