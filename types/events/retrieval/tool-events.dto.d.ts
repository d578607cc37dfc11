import { ConversationEvent } from './conversation-event.dto';
/** The agent uses a tool. */
export declare class ActionEvent extends ConversationEvent {
    kind: 'ActionEvent';
    thought: Record<string, unknown>[];
    action?: Record<string, unknown> | null;
    tool_name: string;
    tool_call_id: string;
    tool_call: Record<string, unknown>;
    llm_response_id: string;
    security_risk?: string | null;
    reasoning_content?: string | null;
    summary?: string | null;
}
/** The agent used a tool in a way that does not work. */
export declare class AgentErrorEvent extends ConversationEvent {
    kind: 'AgentErrorEvent';
    tool_name: string;
    tool_call_id: string;
    error: string;
    classification?: Record<string, unknown> | null;
}
/** What a tool answered. */
export declare class ObservationEvent extends ConversationEvent {
    kind: 'ObservationEvent';
    tool_name: string;
    tool_call_id: string;
    observation: Record<string, unknown>;
    action_id: string;
    extended_content?: Record<string, unknown>[] | null;
}
/** A call was refused. */
export declare class UserRejectObservation extends ConversationEvent {
    kind: 'UserRejectObservation';
    tool_name: string;
    tool_call_id: string;
    rejection_reason: string;
    rejection_source?: string | null;
    action_id: string;
}
