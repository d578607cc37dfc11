import { ConversationMetrics } from './conversation-metrics.dto';
/** `{id}` of the operations on a conversation's record. */
export declare class AppConversationPath {
    id: string;
}
/** `{conversation_id}` of paths that name a conversation. */
export declare class ConversationPath {
    conversation_id: string;
}
/** Where the agent of a conversation works. */
export declare class ConversationWorkspace {
    working_dir: string;
}
/** The agent profile that a conversation was started with. */
export declare class LaunchedAgentProfile {
    agent_profile_id: string;
    revision: number;
}
/** A conversation, as its creator sees it. */
export declare class AppConversation {
    id: string;
    created_by_user_id: string;
    sandbox_id: string | null;
    selected_repository: string | null;
    selected_branch: string | null;
    git_provider: string | null;
    title: string | null;
    trigger: string | null;
    pr_number: number[];
    pr_merged: boolean | null;
    llm_model: string | null;
    agent_kind: string;
    metrics: ConversationMetrics;
    public: boolean;
    acp_server: string | null;
    launched_agent_profile: LaunchedAgentProfile | null;
    parent_conversation_id: string | null;
    sub_conversation_ids: string[];
    tags: Record<string, unknown>;
    created_at: string;
    updated_at: string;
    sandbox_status: string;
    execution_status: string | null;
    conversation_url: string | null;
    session_api_key: string | null;
    workspace: ConversationWorkspace | null;
}
/** A page of conversations. */
export declare class AppConversationPage {
    items: AppConversation[];
    next_page_id: string | null;
}
/** `?ids=` of batch reads. */
export declare class IdsQuery {
    ids: string[];
}
/** Which of the caller's conversations to count. */
export declare class AppConversationFilter {
    title__contains?: string;
    created_at__gte?: Date;
    created_at__lt?: Date;
    updated_at__gte?: Date;
    updated_at__lt?: Date;
    sandbox_id__eq?: string;
    include_sub_conversations: boolean;
}
/** How `/search` sorts. */
export declare const CONVERSATION_ORDERS: readonly ["CREATED_AT", "CREATED_AT_DESC", "UPDATED_AT", "UPDATED_AT_DESC", "TITLE", "TITLE_DESC"];
/** Which of the caller's conversations to list, and how. */
export declare class AppConversationSearch extends AppConversationFilter {
    sort_order: (typeof CONVERSATION_ORDERS)[number];
    page_id?: string;
    limit: number;
}
