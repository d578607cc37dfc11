import type { SandboxAddress } from '../../../sandboxes';
import { conversationUrl } from '../../record/conversation-url';
import { shownSandboxStatus } from '../../record/sandbox-status';
import type { OrgConversationResponse } from './org-conversations.dto';
import type { OrgConversationRow } from './org-rows';

/**
 * A conversation as the admins of its organization see it (docs/contract.md#organization-conversation).
 * @param publicUrlOf where callers reach a running sandbox
 */
export function toOrgConversation(
  row: OrgConversationRow,
  publicUrlOf: (sandbox: SandboxAddress) => string | null,
): OrgConversationResponse {
  const status = shownSandboxStatus(
    row,
    row.sandbox_status === null
      ? null
      : { status: row.sandbox_status, stopping: row.sandbox_stopping !== null },
  );
  return {
    id: row.id,
    user_id: row.created_by_user_id,
    title: row.title,
    llm_model: row.llm_model,
    agent_kind: row.agent_kind,
    user_email: row.user_email,
    created_at: row.created_at,
    updated_at: row.updated_at,
    sandbox_id: row.sandbox_id,
    sandbox_status: status,
    runtime_url: status === 'RUNNING' && row.start_state !== 'failed' ? runtimeUrl(row, publicUrlOf) : null,
    execution_status: row.execution_status,
    selected_repository: row.selected_repository,
    selected_branch: row.selected_branch,
    git_provider: row.git_provider,
    trigger: row.trigger,
    pr_number: row.pr_number,
    pr_merged: row.pr_merged,
    tags: row.tags,
    accumulated_cost: row.accumulated_cost,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    total_tokens: row.prompt_tokens + row.completion_tokens,
    cache_read_tokens: row.cache_read_tokens,
    cache_write_tokens: row.cache_write_tokens,
  };
}

function runtimeUrl(
  row: OrgConversationRow,
  publicUrlOf: (sandbox: SandboxAddress) => string | null,
): string | null {
  if (row.sandbox_driver === null) return null;
  const url = publicUrlOf({
    driver: row.sandbox_driver,
    baseUrl: row.sandbox_base_url,
    port: row.sandbox_port,
  });
  return url === null ? null : conversationUrl(url, row.id);
}
