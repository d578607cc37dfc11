import type { StartState } from './conversation.entity';

/** A conversation as read by SQL: no entity is made on the way to an answer. */
export interface ConversationRow {
  readonly id: string;
  readonly org_id: string;
  readonly created_by_user_id: string;
  readonly parent_conversation_id: string | null;
  readonly sandbox_id: string | null;
  readonly start_state: StartState;
  readonly title: string | null;
  readonly llm_model: string | null;
  readonly agent_kind: string;
  readonly execution_status: string | null;
  readonly selected_repository: string | null;
  readonly selected_branch: string | null;
  readonly git_provider: string | null;
  readonly trigger: string | null;
  /** The driver gives 64-bit integers as text. */
  readonly pr_number: readonly string[];
  readonly pr_merged: boolean | null;
  readonly tags: Record<string, unknown>;
  readonly accumulated_cost: number;
  readonly prompt_tokens: string;
  readonly completion_tokens: string;
  readonly cache_read_tokens: string;
  readonly cache_write_tokens: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The columns of {@link ConversationRow}, of a table named `c`. */
export const CONVERSATION_COLUMNS = [
  'id',
  'org_id',
  'created_by_user_id',
  'parent_conversation_id',
  'sandbox_id',
  'start_state',
  'title',
  'llm_model',
  'agent_kind',
  'execution_status',
  'selected_repository',
  'selected_branch',
  'git_provider',
  'trigger',
  'pr_number',
  'pr_merged',
  'tags',
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'created_at',
  'updated_at',
]
  .map((column) => `c.${column}`)
  .join(', ');
