import type { SandboxView } from '../../sandboxes';
import type { AppConversation } from './app-conversation.dto';
import type { ConversationRow } from '../record/conversation-rows';
import { conversationUrl } from '../record/conversation-url';
import { shownSandboxStatus } from '../record/sandbox-status';

/**
 * A conversation as answered to one of its readers.
 * @param readerId the way to the agent server is told to the creator only, while the sandbox runs
 */
export function toAppConversation(
  row: ConversationRow,
  sandbox: SandboxView | null,
  subConversationIds: readonly string[],
  readerId: string,
): AppConversation {
  const status = shownSandboxStatus(row, sandbox);
  const isToldTo = row.created_by_user_id === readerId && row.start_state !== 'failed';
  const reachable = status === 'RUNNING' && isToldTo ? sandbox : null;
  return {
    id: row.id,
    created_by_user_id: row.created_by_user_id,
    sandbox_id: row.sandbox_id,
    selected_repository: row.selected_repository,
    selected_branch: row.selected_branch,
    git_provider: row.git_provider,
    title: row.title,
    trigger: row.trigger,
    pr_number: row.pr_number.map(Number),
    pr_merged: row.pr_merged,
    llm_model: row.llm_model,
    agent_kind: row.agent_kind,
    metrics: {
      accumulated_cost: row.accumulated_cost,
      prompt_tokens: Number(row.prompt_tokens),
      completion_tokens: Number(row.completion_tokens),
      cache_read_tokens: Number(row.cache_read_tokens),
      cache_write_tokens: Number(row.cache_write_tokens),
    },
    parent_conversation_id: row.parent_conversation_id,
    sub_conversation_ids: [...subConversationIds],
    tags: row.tags,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    sandbox_status: status,
    execution_status: row.execution_status,
    conversation_url: reachable?.publicUrl ? conversationUrl(reachable.publicUrl, row.id) : null,
    session_api_key: reachable?.sessionApiKey ?? null,
  };
}
