import { type SandboxStatus } from '../../../sandboxes';
import { type ExecutionStatus } from '../../record/conversation.enums';
/** `{org_id}` of the organization's conversations. */
export declare class OrgConversationsPath {
    org_id: string;
}
/** `{org_id}` and `{conversation_id}` of one of them. */
export declare class OrgConversationPath extends OrgConversationsPath {
    conversation_id: string;
}
/** Time windows, on the time of creation. */
export declare const TIME_WINDOWS: readonly ["all", "7d", "30d", "90d"];
/** What the list is sorted by. */
export declare const SORT_KEYS: readonly ["created_at", "updated_at", "llm_model", "accumulated_cost", "title"];
declare const SORT_ORDERS: readonly ["desc", "asc"];
/** The filters before the page: faults are listed in the order of declaration, so that it comes in between. */
declare class OrgConversationsSelection {
    search: string | null;
    sort_by: (typeof SORT_KEYS)[number];
    sort_order: (typeof SORT_ORDERS)[number];
    execution_status: ExecutionStatus[];
    sandbox_status: SandboxStatus | null;
    time_window: (typeof TIME_WINDOWS)[number];
}
/** Which conversations of the organization, and in which order. */
export declare class OrgConversationsFilter extends OrgConversationsSelection {
    include_sub_conversations: boolean;
}
/** Which page of the organization's conversations. */
export declare class OrgConversationsQuery extends OrgConversationsSelection {
    page: number;
    per_page: number;
    include_sub_conversations: boolean;
    accurate_totals: boolean;
}
/** Which conversations of the organization to export: as a filter of the list; the order is that of creation. */
export declare class OrgConversationsExport {
    search: string | null;
    execution_status: ExecutionStatus[];
    sandbox_status: SandboxStatus | null;
    time_window: (typeof TIME_WINDOWS)[number];
    include_sub_conversations: boolean;
}
/** A conversation, as the admins of its organization see it. */
export declare class OrgConversationResponse {
    id: string;
    user_id: string;
    title: string | null;
    llm_model: string | null;
    agent_kind: string;
    user_email: string | null;
    created_at: string;
    updated_at: string;
    sandbox_id: string | null;
    sandbox_status: SandboxStatus | null;
    runtime_url: string | null;
    execution_status: string | null;
    selected_repository: string | null;
    selected_branch: string | null;
    git_provider: string | null;
    trigger: string | null;
    pr_number: number[];
    pr_merged: boolean | null;
    tags: Record<string, unknown>;
    accumulated_cost: number;
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    cache_read_tokens: number;
    cache_write_tokens: number;
}
/** A page of the organization's conversations. */
export declare class OrgConversationPage {
    items: OrgConversationResponse[];
    total_items: number;
    page: number;
    per_page: number;
    total_pages: number;
    pagination_accurate: boolean;
}
export {};
