export { BudgetsModule } from './budgets.module';
export type { CallOutcome, ModelCall, Reservation, SpentTokens } from './calls/model-call';
export { ModelCalls } from './calls/model-calls';
export type { BudgetPeriod, BudgetScope } from './record/budget';
export { BudgetExhaustedError, ModelKeyInvalidError, type NoRoom } from './record/budgets.errors';
export type { ExhaustedBudget } from './record/exhausted-budget';
export { Budgets, type NewConversation } from './room/budgets';
export { BudgetUpkeep } from './upkeep/budget-upkeep';
export {
  EXHAUSTED_EXAMPLE,
  exhaustedBudgetOf,
  exhaustedOf,
  type ExhaustedRow,
} from './room/exhausted-row.query';
