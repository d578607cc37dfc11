import type { AppConversationStartTask } from './start-conversation.dto';
import type { StartTaskRow } from './start-task-store';

/** A start task as answered. */
export function toStartTask(row: StartTaskRow): AppConversationStartTask {
  return {
    id: row.id,
    created_by_user_id: row.created_by_user_id,
    status: row.status,
    detail: row.detail,
    app_conversation_id: row.status === 'READY' ? row.conversation_id : null,
    sandbox_id: row.sandbox_id,
    agent_server_url: row.agent_server_url,
    request: row.request,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
