import type { AppConversationStartTask } from './start-conversation.dto';
import type { StartTask } from '../../start-tasks/start-task.entity';

/** A start task as answered. */
export function toStartTask(task: StartTask): AppConversationStartTask {
  return {
    id: task.id,
    created_by_user_id: task.createdByUserId,
    status: task.status,
    detail: task.detail,
    app_conversation_id: task.status === 'READY' ? task.conversationId : null,
    sandbox_id: task.sandboxId,
    agent_server_url: task.agentServerUrl,
    request: { ...task.request },
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
