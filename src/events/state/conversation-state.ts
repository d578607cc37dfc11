import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { storableText } from '../../common';
import { publishChanges, storedExecutionStatus } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import { isRecord, type ReceivedEvent } from '../storage/received-event';

const usage = z.looseObject({
  accumulated_cost: z.number().nonnegative().catch(0),
  accumulated_token_usage: z
    .looseObject({
      prompt_tokens: z.number().int().nonnegative().catch(0),
      completion_tokens: z.number().int().nonnegative().catch(0),
      cache_read_tokens: z.number().int().nonnegative().catch(0),
      cache_write_tokens: z.number().int().nonnegative().catch(0),
    })
    .nullish(),
});
const stats = z.looseObject({ usage_to_metrics: z.record(z.string(), usage) });

/** What of a conversation's record an agent server tells. Absent means: it said nothing of it. */
export interface ReportedState {
  executionStatus?: string;
  title?: string;
  llmModel?: string;
  agentKind?: string;
  metrics?: Metrics;
}

interface Metrics {
  cost: number;
  prompt: number;
  completion: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What the events tell together: the last word of each counts. */
export function stateOfEvents(events: readonly ReceivedEvent[]): ReportedState {
  const state: ReportedState = {};
  for (const { kind, content } of events) {
    if (kind !== 'ConversationStateUpdateEvent') continue;
    if (content.key === 'full_state' && isRecord(content.value))
      Object.assign(state, stateOfInfo(content.value));
    else if (typeof content.key === 'string')
      Object.assign(state, stateOfInfo({ [content.key]: content.value }));
  }
  return state;
}

/** What a conversation's info, or one field of it, tells. */
export function stateOfInfo(info: Readonly<Record<string, unknown>>): ReportedState {
  const state: ReportedState = {};
  if (typeof info.execution_status === 'string') {
    const kept = storedExecutionStatus(info.execution_status);
    if (kept !== null) state.executionStatus = kept;
  }
  if (typeof info.title === 'string' && info.title !== '') state.title = storableText(info.title);
  if (isRecord(info.agent)) {
    if (isRecord(info.agent.llm) && typeof info.agent.llm.model === 'string')
      state.llmModel = storableText(info.agent.llm.model);
    if (typeof info.agent.kind === 'string' && info.agent.kind !== 'Agent')
      state.agentKind = storableText(info.agent.kind);
  }
  const metrics = metricsOf(info.stats);
  if (metrics !== null && Object.values(metrics).every(Number.isFinite)) state.metrics = metrics;
  return state;
}

/** The sums over everything the conversation used models for. */
function metricsOf(told: unknown): Metrics | null {
  const parsed = stats.safeParse(told);
  if (!parsed.success) return null;
  const sum: Metrics = { cost: 0, prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { accumulated_cost, accumulated_token_usage: tokens } of Object.values(
    parsed.data.usage_to_metrics,
  )) {
    sum.cost += accumulated_cost;
    sum.prompt += tokens?.prompt_tokens ?? 0;
    sum.completion += tokens?.completion_tokens ?? 0;
    sum.cacheRead += tokens?.cache_read_tokens ?? 0;
    sum.cacheWrite += tokens?.cache_write_tokens ?? 0;
  }
  return sum;
}

/** Writes what an agent server tells into the conversation's record (docs/contract.md#inbound-webhooks). */
@Injectable()
export class ConversationState {
  constructor(private readonly events: DomainEvents) {}

  /**
   * Metrics never go backwards; what was not told stays. A title counts when the agent server did not tell it
   * last and was not given it: else its old one, or a shortened one, would undo what a person wrote here.
   */
  async apply(transaction: EntityManager, conversationId: string, state: ReportedState): Promise<void> {
    await publishChanges(this.events, transaction, conversationId, () =>
      this.write(transaction, conversationId, state),
    );
  }

  private async write(
    transaction: EntityManager,
    conversationId: string,
    state: ReportedState,
  ): Promise<void> {
    const { metrics } = state;
    await transaction.query(
      `UPDATE conversations SET
         execution_status = coalesce($2, execution_status),
         title = CASE WHEN $3::text IN (told_title, forwarded_title) THEN title ELSE coalesce($3, title) END,
         told_title = coalesce($3, told_title),
         llm_model = coalesce($4, llm_model),
         agent_kind = coalesce($5, agent_kind),
         accumulated_cost = greatest(accumulated_cost, $6),
         prompt_tokens = greatest(prompt_tokens, $7),
         completion_tokens = greatest(completion_tokens, $8),
         cache_read_tokens = greatest(cache_read_tokens, $9),
         cache_write_tokens = greatest(cache_write_tokens, $10),
         updated_at = greatest(now(), updated_at)
       WHERE id = $1 AND deleted_at IS NULL`,
      [
        conversationId,
        state.executionStatus ?? null,
        state.title ?? null,
        state.llmModel ?? null,
        state.agentKind ?? null,
        metrics?.cost ?? null,
        metrics?.prompt ?? null,
        metrics?.completion ?? null,
        metrics?.cacheRead ?? null,
        metrics?.cacheWrite ?? null,
      ],
    );
  }
}
