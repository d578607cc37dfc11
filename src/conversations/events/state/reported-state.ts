import { z } from 'zod';
import { reportedModel } from '../../../agents/gateway-access';
import { cutText, isRecord } from '../../../kernel/common';
import {
  MAX_AGENT_KIND,
  MAX_MODEL,
  MAX_TITLE,
  type ReportedMetrics,
  type ReportedState,
  storedExecutionStatus,
} from '../../conversations';
import { type ReceivedEvent } from '../storage/received-event';

const count = z.number().int().nonnegative().catch(0);
const tokens = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  reasoning_tokens: count,
  context_window: count,
  per_turn_token: count,
});
const NO_TOKENS = tokens.parse({});

const usage = z.looseObject({
  accumulated_cost: z.number().nonnegative().catch(0),
  accumulated_token_usage: tokens.nullish().transform((reported) => reported ?? NO_TOKENS),
});
const stats = z.looseObject({ usage_to_metrics: z.record(z.string(), usage) });

/** A report that is being put together. */
type Draft = { -readonly [Name in keyof ReportedState]: ReportedState[Name] };

/** The combined report of several events: the last value of each field wins. */
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
  if (metrics !== null && isExact(metrics)) state.metrics = metrics;
  return state;
}

/** In dollars; what all conversations of an organization spent together is to be a number still. */
const MOST_COST = 1e9;

/** Whether sums are numbers that can be stored, added up and returned unchanged. */
function isExact({ cost, ...tokens }: ReportedMetrics): boolean {
  return cost <= MOST_COST && Object.values(tokens).every(Number.isSafeInteger);
}

function stateOfAgent({ llm, kind }: Readonly<Record<string, unknown>>): ReportedState {
  const model = isRecord(llm) && typeof llm.model === 'string' ? llm.model : null;
  return {
    ...(isRecord(llm) &&
      model !== null && { llmModel: cutText(reportedModel({ ...llm, model }), MAX_MODEL) }),
    ...(typeof kind === 'string' && kind !== 'Agent' && { agentKind: cutText(kind, MAX_AGENT_KIND) }),
  };
}

/**
 * The sums over everything the conversation used models for. How full the context is says the model of the agent
 * itself, not that of a condenser.
 */
function metricsOf(reported: unknown): ReportedMetrics | null {
  const parsed = stats.safeParse(reported);
  if (!parsed.success) return null;
  const usages = parsed.data.usage_to_metrics;
  const ofAgent = (usages.agent ?? usages.default ?? Object.values(usages)[0])?.accumulated_token_usage;
  const sum = { cost: 0, prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  for (const { accumulated_cost, accumulated_token_usage: used } of Object.values(usages)) {
    sum.cost += accumulated_cost;
    sum.prompt += used.prompt_tokens;
    sum.completion += used.completion_tokens;
    sum.cacheRead += used.cache_read_tokens;
    sum.cacheWrite += used.cache_write_tokens;
    sum.reasoning += used.reasoning_tokens;
  }
  return {
    ...sum,
    contextWindow: ofAgent?.context_window ?? 0,
    perTurn: ofAgent?.per_turn_token ?? 0,
  };
}
