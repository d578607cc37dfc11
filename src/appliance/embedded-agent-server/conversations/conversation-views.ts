import type { ConversationRecord } from './conversation-files';
import type { EventLog } from './event-log';
import { z } from 'zod';
import type { Usage } from './agent';

const tokens = z.looseObject({
  model: z.string(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
});

/** What a conversation has cost so far, by usage; this server has the one usage `default`. */
export const statsSchema = z.object({
  usage_to_metrics: z.record(
    z.string(),
    z.looseObject({
      model_name: z.string(),
      accumulated_cost: z.number(),
      accumulated_token_usage: tokens,
    }),
  ),
});
export type Stats = z.infer<typeof statsSchema>;

export const NO_STATS: Stats = { usage_to_metrics: {} };

/** The statistics after one more answer of a model. */
export function addUsage(stats: Stats, usage: Usage, responseId: string): Stats {
  const before = stats.usage_to_metrics['default'];
  return {
    usage_to_metrics: {
      default: {
        model_name: usage.model,
        accumulated_cost: (before?.accumulated_cost ?? 0) + usage.cost,
        max_budget_per_task: null,
        accumulated_token_usage: {
          model: usage.model,
          prompt_tokens: (before?.accumulated_token_usage.prompt_tokens ?? 0) + usage.promptTokens,
          completion_tokens:
            (before?.accumulated_token_usage.completion_tokens ?? 0) + usage.completionTokens,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          reasoning_tokens: 0,
          context_window: 0,
          per_turn_token: usage.promptTokens + usage.completionTokens,
          response_id: responseId,
        },
      },
    },
  };
}

const MASK = '**********';

/** A conversation as the API answers it. */
interface ConversationState {
  readonly record: ConversationRecord;
  readonly log: EventLog;
  readonly folder: string | null;
  readonly status: string;
  readonly stats: Stats;
  readonly lastUserMessageId: string | null;
}

/** A conversation as REST answers and webhooks have it. */
export function conversationInfo(conversation: ConversationState): Record<string, unknown> {
  const { record } = conversation;
  return {
    id: record.id,
    ...sharedFields(conversation),
    // REST hides the key of the model altogether, the state of a WebSocket masks it.
    agent: agentView(conversation, null),
    hook_config: null,
    title: record.title,
    metrics: null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    parent_conversation_id: record.request.parent_conversation_id ?? null,
    sub_conversation_ids: [],
    current_model_id: null,
    available_models: [],
    supports_runtime_model_switch: false,
    launched_agent_profile: null,
    client_tools: [],
  };
}

/** The value of a `full_state` event. */
export function fullState(conversation: ConversationState): Record<string, unknown> {
  return {
    id: conversation.record.id,
    ...sharedFields(conversation),
    agent: agentView(conversation, MASK),
    activated_path_rules: [],
    head_is_empty: conversation.log.length === 0,
  };
}

function sharedFields(conversation: ConversationState): Record<string, unknown> {
  const { record, status, stats, lastUserMessageId, log } = conversation;
  return {
    workspace: { ...record.request.workspace, kind: 'LocalWorkspace' },
    persistence_dir: conversation.folder,
    max_iterations: record.request.max_iterations ?? 500,
    stuck_detection: record.request.stuck_detection ?? true,
    execution_status: status,
    confirmation_policy: record.request.confirmation_policy ?? { kind: 'NeverConfirm' },
    security_analyzer: null,
    activated_knowledge_skills: [],
    invoked_skills: [],
    blocked_actions: {},
    blocked_messages: {},
    last_user_message_id: lastUserMessageId,
    leaf_event_id: log.last?.id ?? null,
    stats,
    secret_registry: { secret_sources: secretSources(record.secrets) },
    agent_state: {},
    tags: record.tags,
  };
}

function secretSources(secrets: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(secrets).map((name) => [name, { kind: 'StaticSecret', description: null, value: null }]),
  );
}

function agentView({ record }: ConversationState, apiKey: string | null): Record<string, unknown> {
  const { agent, agent_settings: settings } = record.request;
  const llm = agent?.llm ?? settings?.llm;
  return {
    llm: llm ? { ...llm, api_key: llm.api_key ? apiKey : null } : null,
    tools: [],
    mcp_config: {},
    include_default_tools: [],
    agent_context: null,
    condenser: null,
    critic: null,
    tool_concurrency_limit: 1,
    kind: 'Agent',
  };
}
