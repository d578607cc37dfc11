import { ConversationEvent } from './conversation-event.dto';
/** The history the model is shown is being condensed. */
export declare class Condensation extends ConversationEvent {
    kind: 'Condensation';
    llm_response_id: string;
    forgotten_event_ids: string[];
    summary?: string | null;
    summary_offset?: number | null;
}
/** The history is to be condensed. */
export declare class CondensationRequest extends ConversationEvent {
    kind: 'CondensationRequest';
}
/** The summary that stands for forgotten events. */
export declare class CondensationSummaryEvent extends ConversationEvent {
    kind: 'CondensationSummaryEvent';
    summary: string;
}
/** The conversation failed. */
export declare class ConversationErrorEvent extends ConversationEvent {
    kind: 'ConversationErrorEvent';
    code: string;
    detail: string;
    classification?: Record<string, unknown> | null;
}
/** A part of the state of the conversation changed. */
export declare class ConversationStateUpdateEvent extends ConversationEvent {
    kind: 'ConversationStateUpdateEvent';
    key: string;
    value?: unknown;
}
/** A call of the model, for its log. */
export declare class LLMCompletionLogEvent extends ConversationEvent {
    kind: 'LLMCompletionLogEvent';
    filename: string;
    log_data: string;
    model_name?: string | null;
    usage_id?: string | null;
}
/** A message. */
export declare class MessageEvent extends ConversationEvent {
    kind: 'MessageEvent';
    llm_message: Record<string, unknown>;
    llm_response_id?: string | null;
    activated_skills?: string[] | null;
    extended_content?: Record<string, unknown>[] | null;
    sender?: string | null;
}
/** The system prompt, before all messages. */
export declare class SystemPromptEvent extends ConversationEvent {
    kind: 'SystemPromptEvent';
    system_prompt: Record<string, unknown>;
    tools: Record<string, unknown>[];
    dynamic_context?: Record<string, unknown> | null;
}
/** The tokens of a call of the model. */
export declare class TokenEvent extends ConversationEvent {
    kind: 'TokenEvent';
    prompt_token_ids: number[];
    response_token_ids: number[];
}
/** The conversation was paused. */
export declare class PauseEvent extends ConversationEvent {
    kind: 'PauseEvent';
}
/** An event of a kind that this version does not know. */
export declare class OtherEvent extends ConversationEvent {
    kind: string;
}
