import { type BudgetPeriod, type BudgetScope, periodEnd } from './budget';

/** A budget of which nothing is left, as those who are refused are told. */
export interface ExhaustedBudget {
  readonly id: string;
  readonly scope: BudgetScope;
  /** Id of the user or conversation, the repository, or the tag; of one for each user whose it is; null for the organization. */
  readonly subject: string | null;
  readonly period: BudgetPeriod;
  readonly limitUsd: number | null;
  readonly limitTokens: number | null;
  /** When its next period begins; null where it has one only. */
  readonly resetsAt: Date | null;
}

/** A budget as statements read it. */
export interface BudgetRow {
  readonly id: string;
  readonly scope: BudgetScope;
  readonly subject: string;
  readonly period: BudgetPeriod;
  readonly limit_usd: number | null;
  readonly limit_tokens: number | null;
}

/** What a budget `b` is about where a user is concerned. @param user SQL for their id */
export function subjectFor(user: string): string {
  return `CASE b.scope WHEN 'each_user' THEN ${user}::text ELSE b.subject END`;
}

/** The columns of a {@link BudgetRow}, of `b`. @param subject SQL for what it is about */
export function budgetColumns(subject = 'b.subject'): string {
  return `b.id, b.scope, ${subject} AS subject, b.period, b.limit_usd::float8 AS limit_usd,
  b.limit_tokens::float8 AS limit_tokens`;
}

/** @param at a time in its present period */
export function toExhausted(row: BudgetRow, at: Date): ExhaustedBudget {
  return {
    id: row.id,
    scope: row.scope,
    subject: row.subject === '' ? null : row.subject,
    period: row.period,
    limitUsd: row.limit_usd,
    limitTokens: row.limit_tokens,
    resetsAt: periodEnd(row.period, at),
  };
}
