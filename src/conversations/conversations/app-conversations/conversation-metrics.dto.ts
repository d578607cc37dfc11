import { Field, integer, model, number, string } from '../../../kernel/validation';

/** Tokens that a conversation has used so far. */
class TokenUsage {
  @Field(string(), {
    description: 'The model; empty where none is known.',
    example: 'anthropic/claude-sonnet',
  })
  model!: string;

  @Field(integer(), { description: 'Tokens sent to the model.', example: 3300 })
  prompt_tokens!: number;

  @Field(integer(), { description: 'Tokens the model answered.', example: 900 })
  completion_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens read from a cache.', example: 0 })
  cache_read_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens written to a cache.', example: 0 })
  cache_write_tokens!: number;

  @Field(integer(), { description: 'Tokens the model reasoned with.', example: 120 })
  reasoning_tokens!: number;

  @Field(integer(), {
    description: 'Tokens that the model of the agent can be given at once; 0 while it is unknown.',
    example: 200_000,
  })
  context_window!: number;

  @Field(integer(), {
    description: 'Tokens of the last call of the model of the agent; 0 before the first.',
    example: 4200,
  })
  per_turn_token!: number;

  @Field(string(), { description: 'Always empty: sums come of many answers.', example: '' })
  response_id!: string;
}

/** Cost and tokens, flat. */
export class CostAndTokens {
  @Field(number(), { description: 'Cost in US dollars.', example: 0.0123 })
  accumulated_cost!: number;

  @Field(integer(), { description: 'Tokens sent to the model.', example: 3300 })
  prompt_tokens!: number;

  @Field(integer(), { description: 'Tokens the model answered.', example: 900 })
  completion_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens read from a cache.', example: 0 })
  cache_read_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens written to a cache.', example: 0 })
  cache_write_tokens!: number;
}

/** Tokens and cost of a conversation so far: flat, and as clients of the public interface read them. */
export class ConversationMetrics extends CostAndTokens {
  @Field(string(), {
    description: 'Model it runs on; `default` while none is known.',
    example: 'anthropic/claude-sonnet',
  })
  model_name!: string;

  @Field(number(), {
    nullable: true,
    description: 'Limit of the cost that its agent server was given; null without one.',
    example: 5,
  })
  max_budget_per_task!: number | null;

  @Field(model(() => TokenUsage), { description: 'Tokens of all models it used.' })
  accumulated_token_usage!: TokenUsage;
}
