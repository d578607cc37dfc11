import { GIT_PROVIDERS } from '../record/conversation.enums';
/** Fields of start requests that do not change afterwards. */
export declare class StartOnlyFields {
    conversation_id?: unknown;
    sandbox_id?: unknown;
    initial_message?: unknown;
    system_message_suffix?: unknown;
    processors?: unknown;
    llm_model?: unknown;
    agent_profile_id?: unknown;
    dependency_repos?: unknown;
    suggested_task?: unknown;
    trigger?: unknown;
    parent_conversation_id?: unknown;
    agent_type?: unknown;
    plugins?: unknown;
    secrets?: unknown;
}
/** Changes to a conversation: what is absent stays. */
export declare class AppConversationUpdate extends StartOnlyFields {
    public?: boolean | null;
    title?: string | null;
    tags?: Record<string, unknown>;
    selected_repository?: string | null;
    selected_branch?: string | null;
    git_provider?: (typeof GIT_PROVIDERS)[number] | null;
    pr_number?: number[];
    pr_merged?: boolean | null;
}
