import { type StartTaskStatus } from '../../start-tasks/start-task-status';
/** The start of a conversation, as it goes on (docs/contract.md#start-tasks). */
export declare class AppConversationStartTask {
    id: string;
    created_by_user_id: string;
    status: StartTaskStatus;
    detail: string | null;
    app_conversation_id: string | null;
    sandbox_id: string | null;
    agent_server_url: string | null;
    request: Record<string, unknown>;
    created_at: string;
    updated_at: string;
}
/** A page of start tasks. */
export declare class AppConversationStartTaskPage {
    items: AppConversationStartTask[];
    next_page_id: string | null;
}
/** Which start tasks to count. */
export declare class StartTaskFilter {
    conversation_id__eq?: string;
    created_at__gte?: Date;
}
/** Which start tasks to list. */
export declare class StartTaskSearch extends StartTaskFilter {
    page_id?: string;
    limit: number;
}
/** `?ids=` of start tasks. */
export declare class StartTaskIdsQuery {
    ids: string[];
}
