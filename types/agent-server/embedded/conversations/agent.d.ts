import { z } from 'zod';
import type { LlmDefaults } from '../config/embedded-config';
import type { FailureKind } from './events';
import { type ContentBlock } from './messages';
/** One turn of a conversation, as the agent sees it. */
export interface Turn {
    readonly role: 'user' | 'assistant';
    readonly content: readonly ContentBlock[];
}
/** What a model counted for one answer. */
export interface Usage {
    readonly model: string;
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly cost: number;
}
export interface Reply {
    readonly text: string;
    readonly responseId: string;
    readonly usage: Usage | null;
}
/** Answers a conversation. */
export interface Agent {
    readonly systemPrompt: string;
    /** @throws AgentFailure when there is no answer, and the signal's reason when it was aborted */
    reply(turns: readonly Turn[], signal: AbortSignal): Promise<Reply>;
}
/** Why there is no answer: what the ConversationErrorEvent says. */
export declare class AgentFailure extends Error {
    readonly code: string;
    readonly kind: FailureKind;
    constructor(code: string, detail: string, kind: FailureKind);
}
/** The part of a start request that names the model. */
export declare const llmSchema: z.ZodObject<{
    model: z.ZodString;
    base_url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    api_key: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    input_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
    output_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
}, z.core.$loose>;
export type Llm = z.infer<typeof llmSchema>;
/**
 * The agent of a conversation: a plain chat with an OpenAI-compatible model when one is named and can be
 * reached by an address or a key, an echo otherwise.
 * @param llm what the conversation asked for; what it leaves open comes from the defaults
 * @param suffix what it adds to the system prompt
 */
export declare function agentFor(llm: Llm | null, defaults: LlmDefaults, suffix: string | null): Agent;
