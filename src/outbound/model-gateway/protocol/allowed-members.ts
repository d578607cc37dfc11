import { isRecord } from '../../../kernel/common';
import { ModelCallInvalidError, ParameterRefusedError } from '../model-gateway.errors';
import type { Protocol } from './protocols';

const OF_OPENAI = [
  'model',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'metadata',
  'user',
  'safety_identifier',
  'service_tier',
  'store',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
];

/**
 * What the official clients, and the libraries of agents, send and no more: what else there is, some provider or some gateway
 * takes for another model, another address, or something to do that is in no usage.
 */
const MEMBERS: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  chat: new Set([
    ...OF_OPENAI,
    'messages',
    'n',
    'max_tokens',
    'max_completion_tokens',
    'stop',
    'seed',
    'logprobs',
    'logit_bias',
    'frequency_penalty',
    'presence_penalty',
    'response_format',
    'functions',
    'function_call',
    'audio',
    'modalities',
    'prediction',
    'reasoning_effort',
    'verbosity',
    'thinking',
    'context_management',
    // Of providers that speak like OpenAI, and of servers of one's own.
    ...[
      'top_k',
      'min_p',
      'top_a',
      'typical_p',
      'tfs_z',
      'repetition_penalty',
      'length_penalty',
      'min_tokens',
    ],
    'ignore_eos',
    'stop_token_ids',
    'bad_words',
    'skip_special_tokens',
    'spaces_between_special_tokens',
    'include_stop_str_in_output',
    'chat_template_kwargs',
    'add_generation_prompt',
    'echo',
    'priority',
    'guided_json',
    'guided_regex',
    'guided_choice',
    'guided_grammar',
    'structured_outputs',
    'enable_thinking',
    'thinking_budget',
    'thinking_token_budget',
    'reasoning',
    'include_reasoning',
    'reasoning_format',
    'reasoning_split',
    'disable_reasoning',
    'clear_thinking',
    'preserve_thinking',
    'usage',
    'safe_prompt',
    'random_seed',
    'prompt_mode',
    'do_sample',
    'tool_stream',
    'cache_control',
    'num_ctx',
    'num_predict',
    'keep_alive',
    'session_id',
    'litellm_session_id',
    'litellm_trace_id',
  ]),
  responses: new Set([
    ...OF_OPENAI,
    'input',
    'instructions',
    'include',
    'max_output_tokens',
    'max_tool_calls',
    'previous_response_id',
    'conversation',
    'reasoning',
    'text',
    'truncation',
  ]),
  embeddings: new Set([
    'model',
    'input',
    'dimensions',
    'encoding_format',
    'user',
    'input_type',
    'truncate',
    'output_dtype',
    'output_dimension',
  ]),
  messages: new Set([
    'model',
    'messages',
    'max_tokens',
    'system',
    'metadata',
    'stop_sequences',
    'stream',
    'temperature',
    'top_k',
    'top_p',
    'thinking',
    'tools',
    'tool_choice',
    'service_tier',
    'cache_control',
    'output_config',
    'output_format',
    'context_management',
  ]),
};

/** Members of a tool that the caller runs. */
const OF_TOOL = new Set([
  'type',
  'name',
  'description',
  'function',
  'parameters',
  'input_schema',
  'output_schema',
  'custom',
  'format',
  'strict',
  'cache_control',
  'defer_loading',
  'allowed_callers',
  'input_examples',
  'eager_input_streaming',
  'max_characters',
  'display_number',
  'display_width_px',
  'display_height_px',
  'enable_zoom',
]);
/** Types of tools that the caller runs; any other the provider runs itself. */
const CALLERS_TOOL =
  /^(?:function|custom|local_shell|apply_patch|(?:bash|text_editor|computer|memory)_\d{8})$/;

/** How fast, and so how dear, an answer may be: with these never dearer than the price that is known. */
const TIERS: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex', 'standard_only']);
/** What is taken out of a conversation without another call of a model, whose tokens would be in no usage. */
const EDIT = /^clear_(?:thinking|tool_uses)_\d{8}$/;

/**
 * Checks that a call has nothing in it that leads past the policy, the price or the network of an organization.
 * @throws ModelCallInvalidError, ParameterRefusedError
 */
export function checkMembers(protocol: Protocol, call: Readonly<Record<string, unknown>>): void {
  const known = MEMBERS[protocol];
  for (const [name, value] of Object.entries(call)) {
    if (known.has(name)) continue;
    // Some read names in any letters, and would take this one for one that is checked.
    if (!/^[\x20-\x7e]*$/.test(name) || known.has(name.toLowerCase()))
      throw new ModelCallInvalidError('The names of fields have to be written as the operation has them.');
    const isFalse = name === 'background' && value === false;
    if (isSet(value) && !isFalse)
      throw new ParameterRefusedError(
        name.slice(0, 100),
        'it passes on only what the policy and the budgets of the organization can be held to',
      );
  }
  const { stream, service_tier: tier, context_management: management, tools } = call;
  if (isSet(stream) && typeof stream !== 'boolean')
    throw new ModelCallInvalidError('"stream" has to be true or false.');
  if (isSet(tier) && !TIERS.has(tier))
    throw new ParameterRefusedError('service_tier', 'what this tier costs is not known');
  if (isSet(management) && !isPlainManagement(management))
    throw new ParameterRefusedError('context_management', 'what it costs is not in the usage');
  if (isSet(tools)) checkTools(tools);
}

function checkTools(tools: unknown): void {
  if (!Array.isArray(tools)) throw new ModelCallInvalidError('"tools" has to be a list.');
  for (const tool of tools) {
    const type: unknown = isRecord(tool) ? (tool['type'] ?? 'function') : null;
    const isCallers = typeof type === 'string' && CALLERS_TOOL.test(type);
    if (!isCallers || !isRecord(tool) || Object.keys(tool).some((name) => !OF_TOOL.has(name)))
      throw new ParameterRefusedError('tools', 'one of them is none that the caller runs');
  }
}

function isPlainManagement(management: unknown): boolean {
  if (!isRecord(management)) return false;
  const { edits, ...more } = management;
  if (Object.keys(more).length > 0) return false;
  if (!Array.isArray(edits)) return !isSet(edits);
  return edits.every(
    (edit: unknown) => isRecord(edit) && typeof edit['type'] === 'string' && EDIT.test(edit['type']),
  );
}

/** Whether a member says anything. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
