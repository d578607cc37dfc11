import { z } from 'zod';
import { HIDDEN, isRecord, storableJson } from '../../../kernel/common';
import { declaredFields } from '../../../kernel/validation';
import { LlmOptions } from './llm-options.dto';

/** The options of a model besides its name, address and key. */
export type ModelOptions = Readonly<LlmOptions>;

/** Options that identify the caller and are meant for one address. */
const ACCESS: ReadonlySet<string> = new Set<keyof LlmOptions>([
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_session_token',
  'aws_region_name',
  'aws_profile_name',
  'aws_role_name',
  'aws_session_name',
  'aws_bedrock_runtime_endpoint',
  'ollama_base_url',
  'extra_headers',
]);

/** Options that say how one logs in at a provider, or which of its interfaces that is. */
const LOGIN: ReadonlySet<string> = new Set<keyof LlmOptions>([
  'provider_connection_id',
  'auth_type',
  'subscription_vendor',
  'is_subscription',
  'api_version',
]);

const SECRETS: ReadonlySet<string> = new Set<keyof LlmOptions>([
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_session_token',
  'extra_headers',
]);

/** Options whose null means none, not the default of the agent server. */
const NULL_IS_NONE: ReadonlySet<string> = new Set<keyof LlmOptions>([
  'timeout',
  'stream_idle_timeout',
  'reasoning_effort',
  'prompt_cache_retention',
  'extended_thinking_budget',
]);

/** Stored options were validated when they came in. */
const options = z.custom<ModelOptions>(isRecord);

const FIELDS = declaredFields(LlmOptions);
const NAMES = FIELDS.map(({ name }) => name);

/** The fields of a model besides its name, address and key, as a form shows them. */
export const LLM_OPTION_FIELDS = FIELDS.map(({ name, type, description = '' }) => ({
  name,
  type,
  description,
  isSecret: SECRETS.has(name),
}));

/** Reads options as {@link writeOptions} wrote them. */
export function readOptions(text: string | null): ModelOptions {
  return text === null ? {} : options.parse(JSON.parse(text));
}

/** @returns null where none is set */
export function writeOptions(given: ModelOptions): string | null {
  return Object.keys(given).length === 0 ? null : JSON.stringify(given);
}

/** The options after a request: absent ones stay, null and empty ones go, and one that is hidden leaves what is there. */
export function optionsAfter(before: ModelOptions, given: ModelOptions): ModelOptions {
  return made((name) => valueAfter(name, Reflect.get(before, name), Reflect.get(given, name)));
}

/** The options without secrets, for calls to another address and for other readers. */
export function withoutSecrets(given: ModelOptions): ModelOptions {
  return only(given, (name) => !SECRETS.has(name));
}

/** The options for a response, with secrets hidden. */
export function shownOptions(given: ModelOptions): ModelOptions {
  return made((name) => {
    const value: unknown = Reflect.get(given, name);
    if (value === undefined || !SECRETS.has(name)) return value;
    return isRecord(value) ? mapped(value, () => HIDDEN) : HIDDEN;
  });
}

/** The options that are meant for one address, as the key is. */
export function accessOf(given: ModelOptions): ModelOptions {
  return only(given, (name) => ACCESS.has(name));
}

/** The options that apply to a model at any address. */
export function tuningOf(given: ModelOptions): ModelOptions {
  return only(given, (name) => !ACCESS.has(name));
}

/** The options without any that say who calls a provider, where, or how they log in there. */
export function withoutAccess(given: ModelOptions): ModelOptions {
  return only(given, (name) => !ACCESS.has(name) && !LOGIN.has(name));
}

/** Whether a request says who calls, or where. */
export function namesAccess(given: ModelOptions): boolean {
  const { provider_connection_id: connection } = given;
  const named = NAMES.filter((name) => ACCESS.has(name)).map((name): unknown => Reflect.get(given, name));
  return [connection, ...named].some((value) => value !== undefined && value !== HIDDEN);
}

function valueAfter(name: string, before: unknown, given: unknown): unknown {
  if (given === undefined || given === HIDDEN) return before;
  if (given === null && NULL_IS_NONE.has(name)) return null;
  if (given === null || given === '') return undefined;
  if (name !== 'extra_headers' || !isRecord(given)) return given;
  const present = isRecord(before) ? before : {};
  return mapped(given, (header, value) => (value === HIDDEN ? present[header] : value));
}

function only(given: ModelOptions, isWanted: (name: string) => boolean): ModelOptions {
  return made((name) => (isWanted(name) ? Reflect.get(given, name) : undefined));
}

function made(valueOf: (name: string) => unknown): ModelOptions {
  return options.parse(storableJson(defined(NAMES.map((name) => [name, valueOf(name)]))));
}

function mapped(
  given: Readonly<Record<string, unknown>>,
  change: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return defined(Object.entries(given).map(([name, value]) => [name, change(name, value)]));
}

function defined(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
