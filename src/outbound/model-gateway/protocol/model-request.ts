import { isRecord } from '../../../kernel/common';
import { ModelCallInvalidError, ParameterRefusedError } from '../model-gateway.errors';
import { type JsonMember, membersOf, withMembers } from './json-members';
import type { Protocol } from './protocols';

/** What models are called: no spaces, quotes or controls, so that a pattern of a policy means what it shows. */
const MODEL_NAME = /^[A-Za-z0-9][\w.:@/+~-]{0,254}$/;

/** Fields that say how much a model may write. */
const LIMITS: Readonly<Record<Protocol, readonly string[]>> = {
  chat: ['max_completion_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  embeddings: [],
  messages: ['max_tokens'],
};

/** Gateways of others take these, and call another model, at another address or with another key. */
const ELSEWHERE = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'model_list',
  'user_config',
  'api_base',
  'base_url',
  'api_key',
];

/** A call as it came. */
export interface ModelRequest {
  readonly protocol: Protocol;
  readonly body: Buffer;
  readonly members: readonly JsonMember[];
  /** The model as the caller calls it. */
  readonly model: string;
  readonly streams: boolean;
  /** The most that it asks for, of all choices together; null for as much as the model writes. */
  readonly maxOutput: number | null;
  /** How many answers it asks for. */
  readonly choices: number;
  /** Whether the caller wants the last piece of a stream that has the usage only. */
  readonly wantsUsage: boolean;
  /** The most tokens of what it only names: images and files elsewhere, and what the provider keeps. */
  readonly namedTokens: number;
}

/**
 * Reads a call.
 * @throws ModelCallInvalidError, ParameterRefusedError
 */
export function readModelRequest(protocol: Protocol, body: Buffer): ModelRequest {
  const call = parsed(body);
  const members = membersOf(body);
  const names = new Set(members.map(({ name }) => name));
  // Of two with one name, we might read one and the provider the other.
  if (names.size < members.length) throw new ModelCallInvalidError('A field of the call is there twice.');
  const { model } = call;
  if (typeof model !== 'string' || !MODEL_NAME.test(model))
    throw new ModelCallInvalidError('"model" has to be the name of a model.');
  refuse(protocol, call);
  const options = call['stream_options'];
  const choices = count(call, 'n') ?? 1;
  const limits = LIMITS[protocol].flatMap((name) => count(call, name) ?? []);
  return {
    protocol,
    body,
    members,
    model,
    streams: protocol !== 'embeddings' && call['stream'] === true,
    maxOutput: limits.length === 0 ? null : Math.max(...limits) * choices,
    choices,
    wantsUsage: isRecord(options) && options['include_usage'] === true,
    namedTokens: namedTokens(body),
  };
}

/** What names something that the provider keeps: as much as a model can read. */
const KEPT = ['"previous_response_id"', '"conversation"', '"file_id"', '"file_url"', '"prompt":{'];
const LARGEST_INPUT = 1_000_000;
/** What names an image or a document; each is this much at most. */
const NAMED = ['"image_url"', '"url"'];
const NAMED_TOKENS = 20_000;

/** By a search for what such parts are called: a text that has these words in it only makes a call reserve more. */
function namedTokens(body: Buffer): number {
  if (KEPT.some((name) => body.includes(name))) return LARGEST_INPUT;
  let parts = 0;
  for (const name of NAMED)
    for (
      let at = body.indexOf(name);
      at >= 0 && parts * NAMED_TOKENS < LARGEST_INPUT;
      at = body.indexOf(name, at + 1)
    )
      parts++;
  return parts * NAMED_TOKENS;
}

/** What of a call is changed for a provider. */
interface Changes {
  /** As the provider calls the model. */
  readonly model: string;
  readonly provider: string;
  /** The most that the organization lets a model write; null for any. */
  readonly maxOutput: number | null;
}

/** The body for a provider: the bytes that came, with another name, the largest output, and a stream's usage asked for. */
export function bodyFor(request: ModelRequest, changes: Changes): Buffer {
  const { body, members } = request;
  const values = new Map<string, string>();
  if (changes.model !== request.model) values.set('model', JSON.stringify(changes.model));
  for (const [name, value] of limitsFor(request, changes)) values.set(name, String(value));
  if (asksForUsage(request)) {
    const options = members.find(({ name }) => name === 'stream_options');
    const given: unknown =
      options === undefined ? null : JSON.parse(body.toString('utf8', options.valueStart, options.valueEnd));
    const all = { ...(isRecord(given) && given), include_usage: true };
    values.set('stream_options', JSON.stringify(all));
  }
  return withMembers(body, members, values);
}

/** Whether the gateway asks for a stream's usage that the caller does not want. */
export function asksForUsage({ protocol, streams, wantsUsage }: ModelRequest): boolean {
  return protocol === 'chat' && streams && !wantsUsage;
}

function limitsFor(
  { protocol, body, members }: ModelRequest,
  { maxOutput, provider }: Changes,
): [string, number][] {
  const names = LIMITS[protocol];
  if (maxOutput === null || names.length === 0) return [];
  const given = members.filter(({ name }) => names.includes(name));
  const numbers = given.map(({ name, valueStart, valueEnd }): [string, unknown] => [
    name,
    JSON.parse(body.toString('utf8', valueStart, valueEnd)),
  ]);
  const set = numbers.filter(([, value]) => typeof value === 'number');
  if (set.length === 0) return [[limitName(protocol, provider), maxOutput]];
  return set.flatMap(([name, value]) => (Number(value) > maxOutput ? [[name, maxOutput]] : []));
}

/** OpenAI's newer models refuse the older name, and most others know that one only. */
function limitName(protocol: Protocol, provider: string): string {
  const [first = '', older = first] = LIMITS[protocol];
  return provider === 'openai' || provider === 'azure' ? first : older;
}

function parsed(body: Buffer): Record<string, unknown> {
  let call: unknown;
  try {
    call = JSON.parse(body.toString());
  } catch {
    throw new ModelCallInvalidError('The body has to be JSON.');
  }
  if (!isRecord(call) || Array.isArray(call))
    throw new ModelCallInvalidError('The body has to be an object.');
  return call;
}

/** @throws ParameterRefusedError */
function refuse(protocol: Protocol, call: Readonly<Record<string, unknown>>): void {
  const elsewhere = ELSEWHERE.find((name) => isSet(call[name]));
  if (elsewhere !== undefined)
    throw new ParameterRefusedError(elsewhere, 'it would lead past the policy of the organization');
  if (protocol === 'responses' && call['background'] === true)
    throw new ParameterRefusedError('background', 'what such a response costs is not in its answer');
}

/** @throws ModelCallInvalidError where it is set and no number of tokens or answers */
function count(call: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = call[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw new ModelCallInvalidError(`"${name}" has to be a whole number from 1.`);
  return value;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
