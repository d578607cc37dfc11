import { AppError, appError } from '../../../kernel/common';
import { MAX_BUDGETS } from './budget';
import type { ExhaustedBudget } from './exhausted-budget';

const OF = {
  organization: 'the organization',
  each_user: 'the user',
  user: 'the user',
  repository: 'the repository',
  tag: 'the tag',
  conversation: 'the conversation',
} as const;

const EACH = { day: 'per day', month: 'per month', total: 'in all' } as const;

/** Why a call was refused: nothing is left, or what is left is reserved by calls under way. */
export type NoRoom = 'spent' | 'reserved';

/** 402: a budget has no room for what was asked (docs/budgets.md). */
export class BudgetExhaustedError extends AppError {
  constructor(
    readonly budget: ExhaustedBudget,
    readonly noRoom: NoRoom = 'spent',
  ) {
    super(402, 'budget_exhausted', sentence(budget, noRoom));
  }

  override toBody(): unknown {
    const { id, scope, subject, period, limitUsd, limitTokens, resetsAt } = this.budget;
    return {
      detail: this.message,
      code: this.code,
      budget: {
        id,
        scope,
        subject,
        period,
        limit_usd: limitUsd,
        limit_tokens: limitTokens,
        resets_at: resetsAt?.toISOString() ?? null,
      },
    };
  }
}

function sentence(budget: ExhaustedBudget, noRoom: NoRoom): string {
  const { scope, period, limitUsd, limitTokens, resetsAt } = budget;
  const limits = [
    ...(limitUsd === null ? [] : [`$${limitUsd}`]),
    ...(limitTokens === null ? [] : [`${limitTokens} tokens`]),
  ];
  const what = `The budget of ${OF[scope]}, ${limits.join(' and ')} ${EACH[period]},`;
  if (noRoom === 'reserved') return `${what} has no room while other calls are under way: try again shortly.`;
  const until =
    resetsAt === null
      ? 'until it is raised'
      : `until it is raised or begins anew at ${resetsAt.toISOString()}`;
  return `${what} has no room for this ${until}.`;
}

/** 401: a call of a model for a conversation that is gone, or whose sandbox does not run. */
export const ModelKeyInvalidError = appError(
  401,
  'model_key_invalid',
  'This key is of no conversation whose sandbox is running.',
);

/** 404: the organization has no such budget. */
export const BudgetNotFoundError = appError(404, 'budget_not_found', 'The organization has no such budget.');

/** 409: there is a budget of the same scope, subject and period. */
export const BudgetExistsError = appError(
  409,
  'budget_exists',
  'The organization has a budget of this scope, subject and period already: change that one.',
);

/** 409: as many as there may be. */
export const TooManyBudgetsError = appError(
  409,
  'too_many_budgets',
  `The organization has ${MAX_BUDGETS} budgets, which is the most there may be.`,
);

/** 404: what a budget is to be about is not there. */
export const BudgetSubjectNotFoundError = appError(
  404,
  'budget_subject_not_found',
  'The organization has no such member or service account, and no such conversation.',
);

/** 400: something was asked of monthly budgets that there is not (docs/budgets.md#monthly-budgets). */
export class BudgetFieldNotSupportedError extends AppError {
  /** @param field of the request @param reason a clause about it */
  constructor(field: string, reason: string) {
    super(400, 'budget_field_not_supported', `${field} is not supported: ${reason}.`);
  }
}
