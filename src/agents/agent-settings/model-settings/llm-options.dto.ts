import {
  anything,
  boolean,
  dictionary,
  Field,
  type FieldType,
  integer,
  number,
  oneOf,
  string,
} from '../../../kernel/validation';
import {
  baseUrl,
  headersProblem,
  modelKey,
  overridesProblem,
  sizeProblem,
  plainText,
  regionName,
} from './model-fields';
import { MAX_FOLDER, MAX_OPTION } from './model-limits';

/** How models identify their callers. */
const AUTH_TYPES = ['api_key', 'subscription'] as const;
const VENDORS = ['openai'] as const;
const API_MODES = ['auto', 'chat', 'responses'] as const;
const SUMMARIES = ['auto', 'concise', 'detailed'] as const;

const MOST = 2_147_483_647;

const count = (ge: number) => integer({ ge, le: MOST });
const text = () => string({ trim: true, maxLength: MAX_OPTION });

function option<Value>(type: FieldType<Value>, description: string) {
  return Field(type, { optional: true, nullable: true, description });
}

/**
 * What can be set about a model besides its name, address and key: the fields of the software development kit's `LLM`,
 * by the names that they have there (docs/contract.md#models). What is not set is absent.
 */
export class LlmOptions {
  @option(
    text(),
    'A provider connection of the organization, whose address and key hold where none are set beside it.',
  )
  provider_connection_id?: string | null;

  @option(oneOf(AUTH_TYPES), 'How the model knows its caller.')
  auth_type?: (typeof AUTH_TYPES)[number] | null;

  @option(oneOf(VENDORS), 'Whose subscription it is.')
  subscription_vendor?: (typeof VENDORS)[number] | null;

  @option(boolean(), 'Whether calls go by a subscription.')
  is_subscription?: boolean | null;

  @option(text(), 'Version of the API, as Azure has them.')
  api_version?: string | null;

  @option(modelKey(), 'Id of an AWS access key. Kept encrypted; answered hidden.')
  aws_access_key_id?: string | null;

  @option(modelKey(), 'That AWS access key. Kept encrypted; answered hidden.')
  aws_secret_access_key?: string | null;

  @option(modelKey(), 'An AWS session. Kept encrypted; answered hidden.')
  aws_session_token?: string | null;

  @option(regionName(), 'AWS region.')
  aws_region_name?: string | null;

  @option(text(), 'Profile in the AWS configuration of the sandbox.')
  aws_profile_name?: string | null;

  @option(text(), 'AWS role to take on.')
  aws_role_name?: string | null;

  @option(text(), 'Name of the session of that role.')
  aws_session_name?: string | null;

  @option(
    baseUrl(),
    'Address of Bedrock, where it is not the one of the region. With another host secrets go.',
  )
  aws_bedrock_runtime_endpoint?: string | null;

  @option(plainText(), 'Site that OpenRouter counts calls for.')
  openrouter_site_url?: string | null;

  @option(plainText(), 'Name of that site.')
  openrouter_app_name?: string | null;

  @option(count(0), 'How often a failed call is tried again.')
  num_retries?: number | null;

  @option(number({ ge: 0 }), 'Factor between two waits before tries.')
  retry_multiplier?: number | null;

  @option(count(0), 'Shortest wait before a try, in seconds.')
  retry_min_wait?: number | null;

  @option(count(0), 'Longest wait before a try, in seconds.')
  retry_max_wait?: number | null;

  @option(count(0), 'Seconds that a call may take; null for any.')
  timeout?: number | null;

  @option(number({ ge: 0 }), 'Seconds between two pieces of a streamed response; null for any.')
  stream_idle_timeout?: number | null;

  @option(count(1), 'About as many characters of one event are shown to the model.')
  max_message_chars?: number | null;

  @option(number({ ge: 0 }), 'Sampling temperature.')
  temperature?: number | null;

  @option(number({ ge: 0, le: 1 }), 'Nucleus sampling.')
  top_p?: number | null;

  @option(number({ ge: 0 }), 'Sampling among so many.')
  top_k?: number | null;

  @option(count(1), 'Most tokens that the model reads.')
  max_input_tokens?: number | null;

  @option(count(1), 'Most tokens that it writes.')
  max_output_tokens?: number | null;

  @option(text(), 'Name that its capabilities are known by, where it is called by another.')
  model_canonical_name?: string | null;

  @option(oneOf(API_MODES), 'Which API of the provider is called.')
  api_mode?: (typeof API_MODES)[number] | null;

  @option(
    dictionary(anything(), { rule: overridesProblem }),
    'What it can do, by name, where that is not known or wrong.',
  )
  capability_overrides?: Record<string, unknown> | null;

  @option(
    dictionary(string(), { rule: headersProblem }),
    'Headers of calls. Values are kept encrypted, and answered hidden.',
  )
  extra_headers?: Record<string, string> | null;

  @option(number({ ge: 0 }), 'Price of a token that it reads.')
  input_cost_per_token?: number | null;

  @option(number({ ge: 0 }), 'Price of a token that it writes.')
  output_cost_per_token?: number | null;

  @option(baseUrl(), 'Address of an Ollama. With another host secrets go.')
  ollama_base_url?: string | null;

  @option(boolean(), 'Whether responses are streamed.')
  stream?: boolean | null;

  @option(boolean(), 'Whether parameters that the model does not know are left out.')
  drop_params?: boolean | null;

  @option(boolean(), 'Whether it is shown no images.')
  disable_vision?: boolean | null;

  @option(boolean(), 'Whether stop words are left out.')
  disable_stop_word?: boolean | null;

  @option(boolean(), 'Whether prompts are cached.')
  caching_prompt?: boolean | null;

  @option(boolean(), 'Whether calls are logged in the sandbox.')
  log_completions?: boolean | null;

  @option(string({ maxLength: MAX_FOLDER }), 'Folder of that log.')
  log_completions_folder?: string | null;

  @option(text(), 'Tokenizer to count with.')
  custom_tokenizer?: string | null;

  @option(boolean(), 'Whether tools are called by the means of the model.')
  native_tool_calling?: boolean | null;

  @option(boolean(), 'Whether contents are sent as one text.')
  force_string_serializer?: boolean | null;

  @option(boolean(), 'Whether images are sent along instead of their addresses.')
  inline_image_urls?: boolean | null;

  @option(text(), 'How much it reasons, such as `low`; null leaves it to the provider.')
  reasoning_effort?: string | null;

  @option(oneOf(SUMMARIES), 'Summary of its reasoning.')
  reasoning_summary?: (typeof SUMMARIES)[number] | null;

  @option(boolean(), 'Whether its reasoning is asked for in encrypted form.')
  enable_encrypted_reasoning?: boolean | null;

  @option(text(), 'How long prompts are cached; null leaves it to the provider.')
  prompt_cache_retention?: string | null;

  @option(count(0), 'Tokens for reasoning, for models that take a budget; null for none.')
  extended_thinking_budget?: number | null;

  @option(integer({ ge: -MOST, le: MOST }), 'Seed of its random numbers.')
  seed?: number | null;

  @option(text(), 'Kept for clients: the service counts by names of its own.')
  usage_id?: string | null;

  @option(dictionary(anything(), { rule: sizeProblem }), 'Added to the body of calls.')
  litellm_extra_body?: Record<string, unknown> | null;
}
