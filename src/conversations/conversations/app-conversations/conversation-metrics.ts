import type { ConversationRow } from '../record/conversation-row';
import type { ConversationMetrics } from './conversation-metrics.dto';

/** Where no model is known, the public interface has this name. */
const UNKNOWN_MODEL = 'default';

/** Tokens and cost as answered: flat, and beside that as the public interface has them. */
export function conversationMetrics(row: ConversationRow): ConversationMetrics {
  const tokens = {
    prompt_tokens: Number(row.promptTokens),
    completion_tokens: Number(row.completionTokens),
    cache_read_tokens: Number(row.cacheReadTokens),
    cache_write_tokens: Number(row.cacheWriteTokens),
  };
  return {
    model_name: row.llmModel ?? UNKNOWN_MODEL,
    accumulated_cost: row.accumulatedCost,
    max_budget_per_task: row.maxBudgetPerTask,
    accumulated_token_usage: {
      model: row.llmModel ?? '',
      ...tokens,
      reasoning_tokens: Number(row.reasoningTokens),
      context_window: Number(row.contextWindow),
      per_turn_token: Number(row.perTurnTokens),
      response_id: '',
    },
    ...tokens,
  };
}
