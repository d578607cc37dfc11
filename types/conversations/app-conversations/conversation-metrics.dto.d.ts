/** Tokens that a conversation has used so far. */
export declare class TokenUsage {
    model: string;
    prompt_tokens: number;
    completion_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
    reasoning_tokens: number;
    context_window: number;
    per_turn_token: number;
    response_id: string;
}
/** Cost and tokens, flat. */
export declare class CostAndTokens {
    accumulated_cost: number;
    prompt_tokens: number;
    completion_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
}
/** Tokens and cost of a conversation so far: flat, and as clients of the public interface read them. */
export declare class ConversationMetrics extends CostAndTokens {
    model_name: string;
    max_budget_per_task: number | null;
    accumulated_token_usage: TokenUsage;
}
