import type { SandboxAddress } from '../../../../sandboxes/sandboxes';
import { conversationUrl } from '../../record/conversation-place';
import { shownSandboxStatus } from '../../record/sandbox-status';
import type { OrgConversationResponse } from './org-conversations.dto';
import type { OrgConversationRow } from './org-conversation.read-model';

/**
 * A conversation as the admins of its organization see it (docs/contract.md#organization-conversation).
 * @param conversationBaseOf what addresses of conversations in a running sandbox begin with
 */
export function toOrgConversation(
  row: OrgConversationRow,
  conversationBaseOf: (sandbox: SandboxAddress) => string | null,
): OrgConversationResponse {
  const status = shownSandboxStatus(
    row,
    row.sandboxStatus === null ? null : { status: row.sandboxStatus, stopping: row.sandboxStopping !== null },
  );
  const sandbox = sandboxOf(row);
  return {
    id: row.id,
    user_id: row.createdByUserId,
    title: row.title,
    llm_model: row.llmModel,
    agent_kind: row.agentKind,
    user_email: row.userEmail,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    sandbox_id: row.sandboxId,
    sandbox_status: status,
    runtime_url:
      status === 'RUNNING' && row.startState !== 'failed' && sandbox !== null
        ? runtimeUrl(row.id, sandbox, conversationBaseOf)
        : null,
    execution_status: row.executionStatus,
    selected_repository: row.selectedRepository,
    selected_branch: row.selectedBranch,
    git_provider: row.gitProvider,
    trigger: row.trigger,
    pr_number: row.prNumber,
    pr_merged: row.prMerged,
    tags: { ...row.tags },
    accumulated_cost: row.accumulatedCost,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    total_tokens: row.promptTokens + row.completionTokens,
    cache_read_tokens: row.cacheReadTokens,
    cache_write_tokens: row.cacheWriteTokens,
  };
}

/** The address of a conversation in a running sandbox; null where callers have none. */
export function runtimeUrl(
  conversationId: string,
  sandbox: SandboxAddress,
  conversationBaseOf: (sandbox: SandboxAddress) => string | null,
): string | null {
  const base = conversationBaseOf(sandbox);
  return base === null ? null : conversationUrl(base, conversationId);
}

function sandboxOf(row: OrgConversationRow): SandboxAddress | null {
  if (row.sandboxDriver === null || row.sandboxId === null) return null;
  return {
    id: row.sandboxId,
    driver: row.sandboxDriver,
    baseUrl: row.sandboxBaseUrl,
    port: row.sandboxPort,
  };
}
