import { LLM_OPTION_FIELDS } from '../model-settings/llm-options';
import type { LlmOptions } from '../model-settings/llm-options.dto';
import type { FieldOf } from './settings-schema.dto';

type OptionField = (typeof LLM_OPTION_FIELDS)[number];

/** Set by requests only: forms choose a connection and a subscription by means of their own. */
const NOT_SHOWN: ReadonlySet<string> = new Set<keyof LlmOptions>([
  'provider_connection_id',
  'auth_type',
  'subscription_vendor',
  'is_subscription',
  'usage_id',
]);

/** What counts where nothing is set, as far as it is not nothing: that of agent servers, and a start that streams. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  num_retries: 5,
  retry_multiplier: 8,
  retry_min_wait: 8,
  retry_max_wait: 64,
  timeout: 300,
  stream: true,
  stream_idle_timeout: 300,
  max_message_chars: 30_000,
  api_mode: 'auto',
  capability_overrides: {},
  drop_params: true,
  disable_stop_word: false,
  caching_prompt: true,
  log_completions: false,
  native_tool_calling: true,
  reasoning_effort: 'high',
  enable_encrypted_reasoning: true,
  prompt_cache_retention: '24h',
  extended_thinking_budget: 200_000,
  litellm_extra_body: {},
} satisfies LlmOptions;

const ACRONYMS: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  id: 'ID',
  litellm: 'LiteLLM',
  url: 'URL',
  urls: 'URLs',
};

/** The fields of a form for what can be set about a model besides its name, address and key. */
export function llmOptionFields(): FieldOf[] {
  return LLM_OPTION_FIELDS.filter(({ name }) => !NOT_SHOWN.has(name)).map((field) => ({
    key: `llm.${field.name}`,
    label: labelOf(field.name),
    description: field.description,
    ...valuesOf(field),
    default: DEFAULTS[field.name] ?? null,
    prominence: 'minor',
    secret: field.isSecret,
  }));
}

function valuesOf({ type }: OptionField): Pick<FieldOf, 'value_type' | 'choices'> {
  const shape = type.kind === 'ruled' ? type.type : type;
  switch (shape.kind) {
    case 'boolean':
    case 'integer':
    case 'number':
      return { value_type: shape.kind };
    case 'dictionary':
      return { value_type: 'object' };
    case 'oneOf':
      return { value_type: 'string', choices: shape.values.map((value) => ({ label: value, value })) };
    default:
      return { value_type: 'string' };
  }
}

function labelOf(name: string): string {
  const words = name.split('_').map((word) => ACRONYMS[word] ?? word);
  const label = words.join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
