import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** Overrides for the columns of a new conversation. */
export interface StoredConversation {
  readonly id: string;
  readonly org_id: string;
  readonly created_by_user_id: string;
  readonly parent_conversation_id: string | null;
  readonly sandbox_id: string | null;
  readonly start_state: 'starting' | 'ready' | 'failed';
  readonly title: string | null;
  readonly llm_model: string | null;
  readonly execution_status: string | null;
  readonly selected_repository: string | null;
  readonly selected_branch: string | null;
  readonly git_provider: string | null;
  readonly trigger: string | null;
  readonly pr_number: readonly number[];
  readonly pr_merged: boolean | null;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly accumulated_cost: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly context_window: number;
  readonly per_turn_tokens: number;
  readonly max_budget_per_task: number | null;
  readonly launched_profile_id: string | null;
  readonly launched_profile_revision: number | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

type Owner = Pick<StoredConversation, 'org_id' | 'created_by_user_id'>;

/** Inserts a conversation directly into the database; columns not given are those of a new one. */
export async function storeConversation(
  db: DataSource,
  fields: Owner & Partial<StoredConversation>,
): Promise<StoredConversation> {
  const now = new Date();
  const row: StoredConversation = {
    id: randomUUID(),
    parent_conversation_id: null,
    sandbox_id: null,
    start_state: 'ready',
    title: null,
    llm_model: null,
    execution_status: null,
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    trigger: null,
    pr_number: [],
    pr_merged: null,
    tags: {},
    accumulated_cost: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: 0,
    per_turn_tokens: 0,
    max_budget_per_task: null,
    launched_profile_id: null,
    launched_profile_revision: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...fields,
  };
  const entries = Object.entries(row);
  await db.query(
    `INSERT INTO conversations (${entries.map(([column]) => column).join(', ')})
     VALUES (${entries.map((_, index) => `$${index + 1}`).join(', ')})`,
    entries.map(([, value]: [string, unknown]) => value),
  );
  return row;
}

/** Inserts a sandbox directly into the database. @returns its id */
export async function storeSandbox(
  db: DataSource,
  owner: Owner,
  fields: { status: string; stopping?: 'pause' | 'delete'; port?: number; id?: string },
): Promise<string> {
  const id = fields.id ?? randomUUID();
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, stopping, port, last_activity_at)
     VALUES ($1, $2, $3, 'embedded', $4, $5, $6, now())`,
    [id, owner.org_id, owner.created_by_user_id, fields.status, fields.stopping ?? null, fields.port ?? null],
  );
  return id;
}
