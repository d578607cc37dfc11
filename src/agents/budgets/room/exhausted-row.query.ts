import { type BudgetRow, type ExhaustedBudget, subjectFor, toExhausted } from '../record/exhausted-budget';

/* By hand because statements of other modules have it in them. */

/** A budget without room, as statements about conversations read it with {@link exhaustedBudgetOf}. */
export interface ExhaustedRow extends BudgetRow {
  /** The first day of its present period. */
  readonly period_start: string;
  /** Until the next one begins, by the clock of the database; null where it has one only. */
  readonly resets_in_ms: number | null;
}

/** The budget that a statement has read. */
export function exhaustedOf(row: ExhaustedRow): ExhaustedBudget {
  return toExhausted(row, new Date(row.period_start));
}

const NEXT_PERIOD = `CASE b.period WHEN 'day' THEN p.start + interval '1 day'
                                   WHEN 'month' THEN p.start + interval '1 month' END AT TIME ZONE 'UTC'`;

/**
 * SQL for the budget without room that a conversation counts in, an {@link ExhaustedRow}, of several the one that lasts longest; null
 * where all have some. It belongs into statements that read the conversation anyway: in organizations without budgets it looks into
 * one index (docs/decisions/0070-what-an-exhausted-budget-stops.md).
 * @param conversation the name of its row
 */
export function exhaustedBudgetOf(conversation: string): string {
  const creator = `${conversation}.created_by_user_id`;
  const [org, ...columns] = ['org_id', 'id', 'created_by_user_id', 'selected_repository', 'tags'].map(
    (column) => `${conversation}.${column}`,
  );
  return `CASE WHEN EXISTS (SELECT FROM budgets WHERE org_id = ${org}) THEN (
    SELECT json_build_object(
             'id', b.id, 'scope', b.scope, 'subject', ${subjectFor(creator)}, 'period', b.period, 'limit_usd', b.limit_usd,
             'limit_tokens', b.limit_tokens, 'period_start', p.start,
             'resets_in_ms', extract(epoch FROM (${NEXT_PERIOD}) - now()) * 1000)
      FROM budgets_of(${[org, ...columns].join(', ')}) b
     CROSS JOIN LATERAL (SELECT budget_period_start(b.period, now()) AS start) p
      LEFT JOIN budget_spending s
        ON s.budget_id = b.id AND s.user_id = budget_spender(b.scope, ${creator}) AND s.period_start = p.start
     WHERE s.exhausted_at IS NOT NULL OR coalesce(s.spent_usd, 0) >= b.limit_usd
        OR coalesce(s.spent_tokens, 0) >= b.limit_tokens
     ORDER BY array_position(ARRAY['total', 'month', 'day'], b.period), b.id LIMIT 1) END`;
}

/** For the OpenAPI document. */
export const EXHAUSTED_EXAMPLE: ExhaustedBudget = {
  id: '2f6b1c7e-94d3-4b0a-8c55-7e1d9a3f6b20',
  scope: 'organization',
  subject: null,
  period: 'month',
  limitUsd: 500,
  limitTokens: null,
  resetsAt: new Date('2026-12-01T00:00:00.000Z'),
};
