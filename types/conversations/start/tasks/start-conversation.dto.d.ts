import { type ContentBlock } from '../../send-message/content-blocks.dto';
import { AGENT_TYPES, GIT_PROVIDERS, TRIGGERS } from '../../record/conversation.enums';
import { SuggestedTask } from './suggested-task.dto';
declare const MESSAGE_ROLES: readonly ["user", "system", "assistant", "tool"];
/** The first message of a conversation (docs/contract.md#start-request). */
export declare class InitialMessage {
    role: (typeof MESSAGE_ROLES)[number];
    content: ContentBlock[];
    run?: boolean;
}
/** A plugin to load when the conversation starts. */
export declare class PluginReference {
    source: string;
    ref?: string | null;
    repo_path?: string | null;
    parameters?: Record<string, unknown> | null;
}
/** What a conversation starts with; everything is optional (docs/contract.md#start-request). */
export declare class AppConversationStartRequest {
    sandbox_id?: string | null;
    conversation_id?: string | null;
    initial_message?: InitialMessage | null;
    system_message_suffix?: string | null;
    processors?: unknown[] | null;
    llm_model?: string | null;
    agent_profile_id?: string | null;
    selected_repository?: string | null;
    selected_branch?: string | null;
    git_provider?: (typeof GIT_PROVIDERS)[number] | null;
    dependency_repos?: string[] | null;
    suggested_task?: SuggestedTask | null;
    title?: string | null;
    trigger?: (typeof TRIGGERS)[number] | null;
    pr_number: number[];
    parent_conversation_id?: string | null;
    agent_type: (typeof AGENT_TYPES)[number];
    public?: boolean | null;
    plugins?: PluginReference[] | null;
    secrets?: Record<string, string> | null;
    tags?: Record<string, unknown> | null;
}
export {};
