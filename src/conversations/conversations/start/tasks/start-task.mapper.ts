import type { AppConversationStartTask } from './start-task.dto';
import type { StartTask } from '../../start-tasks/start-task.entity';

type WithoutRequest = Omit<StartTask, 'request' | 'requestBytes' | 'sealedSecrets'>;

/** A start task as answered. */
export function toStartTask(task: WithoutRequest & Pick<StartTask, 'request'>): AppConversationStartTask {
  return { ...fieldsOf(task), request: { ...task.request } };
}

/** As {@link toStartTask}, as JSON text. @param request the JSON text of the request */
export function toStartTaskJson(task: WithoutRequest, request: string): string {
  return `${JSON.stringify(fieldsOf(task)).slice(0, -1)},"request":${request}}`;
}

function fieldsOf(task: WithoutRequest): Omit<AppConversationStartTask, 'request'> {
  return {
    id: task.id,
    created_by_user_id: task.createdByUserId,
    status: task.status,
    detail: task.detail,
    app_conversation_id: task.status === 'READY' ? task.conversationId : null,
    sandbox_id: task.sandboxId,
    agent_server_url: task.agentServerUrl,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}
