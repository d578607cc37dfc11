import { BudgetFieldNotSupportedError } from '../record/budgets.errors';
import type { BudgetThreshold, MonthlyBudgetsUpdate } from './monthly-budgets.dto';

/**
 * Refuses what cannot be honoured, where it asks for something (docs/decisions/0033-honoured-or-refused.md).
 * @throws BudgetFieldNotSupportedError
 */
export function checkHonoured(wanted: MonthlyBudgetsUpdate): void {
  if ((wanted.reset_day ?? 1) !== 1)
    throw new BudgetFieldNotSupportedError('reset_day', 'budgets begin anew with the month, on day 1');
  for (const field of ['slack_channel', 'slack_team_id'] as const)
    if ((wanted[field] ?? null) !== null)
      throw new BudgetFieldNotSupportedError(field, 'nothing is told over Slack');
  const thresholds = wanted.thresholds ?? [];
  if (thresholds.some(({ slack_enabled }) => slack_enabled))
    throw new BudgetFieldNotSupportedError('thresholds', 'nothing is told over Slack');
  if (thresholds.some(({ email_enabled }) => !email_enabled))
    throw new BudgetFieldNotSupportedError('thresholds', 'each is told by mail, where mail is set up');
  if (
    new Set(thresholds.map(({ percentage }) => percentage).filter((percentage) => percentage < 100)).size > 1
  )
    throw new BudgetFieldNotSupportedError('thresholds', 'a budget has at most one below 100 percent');
}

/** The soft limit that thresholds are, in percent; null for none. */
export function softPercentOf(thresholds: readonly BudgetThreshold[]): number | null {
  return thresholds.find(({ percentage }) => percentage < 100)?.percentage ?? null;
}
