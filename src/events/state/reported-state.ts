import { z } from 'zod';
import { cutText, isRecord } from '../../common';
import {
  MAX_AGENT_KIND,
  MAX_MODEL,
  MAX_TITLE,
  type ReportedMetrics,
  type ReportedState,
  storedExecutionStatus,
} from '../../conversations';
import { type ReceivedEvent } from '../storage/received-event';

const NO_TOKENS = { prompt_tokens: 0, completion_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

const usage = z.looseObject({
  accumulated_cost: z.number().nonnegative().catch(0),
  accumulated_token_usage: z
    .looseObject({
      prompt_tokens: z.number().int().nonnegative().catch(0),
      completion_tokens: z.number().int().nonnegative().catch(0),
      cache_read_tokens: z.number().int().nonnegative().catch(0),
      cache_write_tokens: z.number().int().nonnegative().catch(0),
    })
    .nullish()
    .transform((tokens) => tokens ?? NO_TOKENS),
});
const stats = z.looseObject({ usage_to_metrics: z.record(z.string(), usage) });

/** A report that is being put together. */
type Draft = { -readonly [Name in keyof ReportedState]: ReportedState[Name] };

/** What the events report together: of each field, the last value counts. */
export function stateOfEvents(events: readonly ReceivedEvent[]): ReportedState {
  const state: Draft = {};
  for (const { kind, content } of events) {
    if (kind !== 'ConversationStateUpdateEvent') continue;
    if (content.key === 'full_state' && isRecord(content.value))
      Object.assign(state, stateOfInfo(content.value));
    else if (typeof content.key === 'string')
      Object.assign(state, stateOfInfo({ [content.key]: content.value }));
  }
  return state;
}

/** What a conversation's info, or one field of it, reports. */
export function stateOfInfo(info: Readonly<Record<string, unknown>>): ReportedState {
  const state: Draft = {};
  if (typeof info.execution_status === 'string') {
    const status = storedExecutionStatus(info.execution_status);
    if (status !== null) state.executionStatus = status;
  }
  if (typeof info.title === 'string' && info.title !== '') state.title = cutText(info.title, MAX_TITLE);
  if (isRecord(info.agent)) Object.assign(state, stateOfAgent(info.agent));
  const metrics = metricsOf(info.stats);
  if (metrics !== null && Object.values(metrics).every(Number.isFinite)) state.metrics = metrics;
  return state;
}

function stateOfAgent({ llm, kind }: Readonly<Record<string, unknown>>): ReportedState {
  return {
    ...(isRecord(llm) && typeof llm.model === 'string' && { llmModel: cutText(llm.model, MAX_MODEL) }),
    ...(typeof kind === 'string' && kind !== 'Agent' && { agentKind: cutText(kind, MAX_AGENT_KIND) }),
  };
}

/** The sums over everything the conversation used models for. */
function metricsOf(reported: unknown): ReportedMetrics | null {
  const parsed = stats.safeParse(reported);
  if (!parsed.success) return null;
  const sum = { cost: 0, prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { accumulated_cost, accumulated_token_usage: tokens } of Object.values(
    parsed.data.usage_to_metrics,
  )) {
    sum.cost += accumulated_cost;
    sum.prompt += tokens.prompt_tokens;
    sum.completion += tokens.completion_tokens;
    sum.cacheRead += tokens.cache_read_tokens;
    sum.cacheWrite += tokens.cache_write_tokens;
  }
  return sum;
}
