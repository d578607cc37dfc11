import { CostAndTokens } from '../../app-conversations/conversation-metrics.dto';
/** How many conversations are in which execution status. */
export declare class ConversationsByStatus {
    idle: number;
    running: number;
    paused: number;
    finished: number;
    error: number;
    stuck: number;
    none: number;
}
/** How many conversations were created lately. */
export declare class ConversationsByWindow {
    '7d': number;
    '30d': number;
    '90d': number;
}
/** How many sandboxes of the organization show which status. */
export declare class SandboxesByStatus {
    STARTING: number;
    RUNNING: number;
    PAUSED: number;
    ERROR: number;
    MISSING: number;
}
/** What was used together. */
export declare class ConversationUsage extends CostAndTokens {
    conversations: number;
    total_tokens: number;
}
/** What was used with one model. */
export declare class ModelUsage extends ConversationUsage {
    llm_model: string | null;
}
/** The statistics of an organization's conversations, sub-conversations included. */
export declare class OrgConversationStats {
    total_conversations: number;
    sub_conversations: number;
    by_execution_status: ConversationsByStatus;
    created_within: ConversationsByWindow;
    sandboxes: SandboxesByStatus;
    usage: ConversationUsage;
    by_model: ModelUsage[];
}
