import { isAbsolute } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { type Asker, mayEnter } from '../../../kernel/auth';
import type { SandboxView } from '../../../sandboxes/sandboxes';
import { storableJson, storableOrNull } from '../../../kernel/common';
import type { AppConversation, LaunchedAgentProfile } from './app-conversation.dto';
import type { AppConversationUpdate } from './conversation-update.dto';
import type { ConversationChanges } from '../record/conversation.repository';
import { databaseInteger } from '../record/database-integer';
import type { ConversationRow } from '../record/conversation-row';
import { conversationUrl, workFolder } from '../record/conversation-place';
import { shownSandboxStatus } from '../record/sandbox-status';
import type { ConversationMetrics } from './conversation-metrics.dto';

/** The name that the public interface has for an unknown model. */
const UNKNOWN_MODEL = 'default';

/** Tokens and cost in a response: flat, and again in the form of the public interface. */
function conversationMetrics(row: ConversationRow): ConversationMetrics {
  const tokens = {
    prompt_tokens: Number(row.promptTokens),
    completion_tokens: Number(row.completionTokens),
    cache_read_tokens: Number(row.cacheReadTokens),
    cache_write_tokens: Number(row.cacheWriteTokens),
  };
  return {
    model_name: row.llmModel ?? UNKNOWN_MODEL,
    accumulated_cost: row.accumulatedCost,
    max_budget_per_task: row.maxBudgetPerTask,
    accumulated_token_usage: {
      model: row.llmModel ?? '',
      ...tokens,
      reasoning_tokens: Number(row.reasoningTokens),
      context_window: Number(row.contextWindow),
      per_turn_token: Number(row.perTurnTokens),
      response_id: '',
    },
    ...tokens,
  };
}

/**
 * A conversation as answered to one of its readers.
 * @param reader the address of the agent server is for the creator only, who may enter the sandbox, while it runs
 */
export function toAppConversation(
  row: ConversationRow,
  sandbox: SandboxView | null,
  subConversationIds: readonly string[],
  reader: Pick<Asker, 'userId' | 'letInBy'>,
): AppConversation {
  const status = shownSandboxStatus(row, sandbox);
  const mayReach = row.createdByUserId === reader.userId && row.startState !== 'failed';
  const reachable = status === 'RUNNING' && mayReach && sandbox && mayEnter(reader, sandbox) ? sandbox : null;
  return {
    id: row.id,
    created_by_user_id: row.createdByUserId,
    sandbox_id: row.sandboxId,
    selected_repository: row.selectedRepository,
    selected_branch: row.selectedBranch,
    git_provider: row.gitProvider,
    title: row.title,
    trigger: row.trigger,
    pr_number: row.prNumber.map(Number),
    pr_merged: row.prMerged,
    llm_model: row.llmModel,
    agent_kind: row.agentKind,
    metrics: conversationMetrics(row),
    public: false,
    acp_server: null,
    launched_agent_profile: launchedProfile(row),
    parent_conversation_id: row.parentConversationId,
    sub_conversation_ids: [...subConversationIds],
    tags: { ...row.tags },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    sandbox_status: status,
    execution_status: row.executionStatus,
    conversation_url: reachable?.conversationBase
      ? conversationUrl(reachable.conversationBase, row.id)
      : null,
    session_api_key: reachable?.sessionApiKey ?? null,
    workspace: reachable === null ? null : workspaceOf(row, reachable.workingDir),
  };
}

function launchedProfile({
  launchedProfileId: id,
  launchedProfileRevision: revision,
}: ConversationRow): LaunchedAgentProfile | null {
  return id === null || revision === null ? null : { agent_profile_id: id, revision };
}

/** Null where the folder of the sandbox is known relative to its agent server only. */
function workspaceOf(conversation: ConversationRow, workingDir: string): AppConversation['workspace'] {
  return isAbsolute(workingDir) ? { working_dir: workFolder(workingDir, conversation) } : null;
}

/** The columns that an update writes: only fields that are present. */
export function toChanges(update: AppConversationUpdate, row: ConversationRow): ConversationChanges {
  const wanted = {
    ...(update.title !== undefined && { title: storableOrNull(update.title) }),
    ...(update.tags && { tags: storableJson(update.tags) }),
    ...(update.selected_repository !== undefined && {
      selectedRepository: storableOrNull(update.selected_repository),
    }),
    ...(update.selected_branch !== undefined && { selectedBranch: storableOrNull(update.selected_branch) }),
    ...(update.git_provider !== undefined && { gitProvider: update.git_provider }),
    ...(update.pr_number && { prNumber: update.pr_number.map(databaseInteger) }),
    ...(update.pr_merged !== undefined && { prMerged: update.pr_merged }),
  };
  const current: Readonly<Record<string, unknown>> = { ...row };
  return Object.fromEntries(
    Object.entries(wanted).filter(([property, value]) => !isDeepStrictEqual(value, current[property])),
  );
}
