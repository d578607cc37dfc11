import { z } from 'zod';
import type { Usage } from './agent';

const tokens = z.looseObject({
  model: z.string(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
});

/** What a conversation has cost so far, by usage; this server has the one usage `default`. */
export const statsSchema = z.object({
  usage_to_metrics: z.record(
    z.string(),
    z.looseObject({
      model_name: z.string(),
      accumulated_cost: z.number(),
      accumulated_token_usage: tokens,
    }),
  ),
});
export type Stats = z.infer<typeof statsSchema>;

export const NO_STATS: Stats = { usage_to_metrics: {} };

/** The statistics after one more answer of a model. */
export function addUsage(stats: Stats, usage: Usage, responseId: string): Stats {
  const before = stats.usage_to_metrics['default'];
  return {
    usage_to_metrics: {
      default: {
        model_name: usage.model,
        accumulated_cost: (before?.accumulated_cost ?? 0) + usage.cost,
        max_budget_per_task: null,
        accumulated_token_usage: {
          model: usage.model,
          prompt_tokens: (before?.accumulated_token_usage.prompt_tokens ?? 0) + usage.promptTokens,
          completion_tokens:
            (before?.accumulated_token_usage.completion_tokens ?? 0) + usage.completionTokens,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          reasoning_tokens: 0,
          context_window: 0,
          per_turn_token: usage.promptTokens + usage.completionTokens,
          response_id: responseId,
        },
      },
    },
  };
}
