import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { BudgetPeriod, BudgetScope, CallOutcome, ModelCall } from '../../../src/agents/budgets';
import { makeOrg, makeUser } from '../service/factories';

/** A conversation whose sandbox runs. */
export interface SpendingConversation {
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly sandboxId: string;
}

/** What it is made with. */
export interface ConversationFields {
  readonly orgId?: string;
  readonly userId?: string;
  readonly parentId?: string;
  readonly repository?: string;
  readonly tags?: object;
}

/**
 * Makes a conversation in a sandbox that runs, in an organization of its own unless one is given. Its driver is none that there is:
 * those who look after sandboxes would soon find that no agent server is behind it.
 */
export async function makeConversation(
  db: DataSource,
  fields: ConversationFields = {},
): Promise<SpendingConversation> {
  const id = randomUUID();
  const sandboxId = randomUUID();
  const orgId = fields.orgId ?? (await makeOrg(db)).id;
  const userId = fields.userId ?? (await makeUser(db)).id;
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
     VALUES ($1, $2, $3, 'of-tests', 'RUNNING', now())`,
    [sandboxId, orgId, userId],
  );
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, parent_conversation_id,
                                selected_repository, tags)
     VALUES ($1, $2, $3, $4, 'ready', $5, $6, $7)`,
    [id, orgId, userId, sandboxId, fields.parentId ?? null, fields.repository ?? null, fields.tags ?? {}],
  );
  return { id, orgId, userId, sandboxId };
}

/** What a budget is made with; of the organization, in all, unless said otherwise. */
export interface BudgetFields {
  readonly scope?: BudgetScope;
  readonly subject?: string;
  readonly period?: BudgetPeriod;
  readonly usd?: number | null;
  readonly tokens?: number | null;
  readonly softPercent?: number | null;
}

/** Makes a budget. @returns its id */
export async function makeBudget(db: DataSource, orgId: string, fields: BudgetFields = {}): Promise<string> {
  const id = randomUUID();
  const { scope = 'organization', subject = '', period = 'total', usd = null, tokens = null } = fields;
  await db.query(
    `INSERT INTO budgets (id, org_id, scope, subject, period, limit_usd, limit_tokens, soft_percent, created_by_user_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $1)`,
    [id, orgId, scope, subject, period, usd, tokens, fields.softPercent ?? null],
  );
  return id;
}

/** A call that may cost so much. */
export function callOf(conversation: { readonly id: string }, mostCost: number, mostTokens = 100): ModelCall {
  return {
    conversationId: conversation.id,
    model: 'openai/gpt-test',
    provider: 'openai',
    mostCost,
    mostTokens,
  };
}

/** What came of a call that cost so much. */
export function outcomeOf(cost: number, prompt = 10, completion = 5): CallOutcome {
  return {
    tokens: { prompt, completion, cacheRead: 0, cacheWrite: 0 },
    cost,
    status: 'ok',
    httpStatus: 200,
    latencyMs: 12,
    firstByteMs: 3,
    usageReported: true,
  };
}

/** What is spent and reserved of a budget, in all its periods. */
export interface Spending {
  readonly spent_usd: number;
  readonly spent_tokens: number;
  readonly reserved_usd: number;
  readonly reserved_tokens: number;
}

/** What is spent and reserved of a budget, in all its periods. */
export async function spendingOf(db: DataSource, budgetId: string): Promise<Spending> {
  const [row] = await db.query<[Spending]>(
    `SELECT coalesce(sum(spent_usd), 0)::float8 AS spent_usd, coalesce(sum(spent_tokens), 0)::float8 AS spent_tokens,
            coalesce(sum(reserved_usd), 0)::float8 AS reserved_usd,
            coalesce(sum(reserved_tokens), 0)::float8 AS reserved_tokens
       FROM budget_spending WHERE budget_id = $1`,
    [budgetId],
  );
  return row;
}
