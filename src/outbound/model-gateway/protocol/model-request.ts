import { LARGEST_OUTPUT } from '../../../agents/model-policy';
import { isRecord } from '../../../kernel/common';
import { ModelCallInvalidError } from '../model-gateway.errors';
import { checkMembers } from './allowed-members';
import { type JsonMember, membersOf, notJson, withMembers } from './json-members';
import { namedTokens } from './named-tokens';
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
  const members = membersOf(body);
  const call = parsed(body);
  const names = new Set(members.map(({ name }) => name));
  // Of two with one name, we might read one and the provider the other.
  if (names.size < members.length) throw new ModelCallInvalidError('A field of the call is there twice.');
  const { model } = call;
  if (typeof model !== 'string' || !MODEL_NAME.test(model))
    throw new ModelCallInvalidError('"model" has to be the name of a model.');
  checkMembers(protocol, call);
  const options = call['stream_options'];
  const choices = count(call, 'n') ?? 1;
  const limits = LIMITS[protocol].flatMap((name) => count(call, name) ?? []);
  return {
    protocol,
    body,
    members,
    model,
    streams: protocol !== 'embeddings' && call['stream'] === true,
    maxOutput: mostWritten(limits, choices),
    choices,
    wantsUsage: isRecord(options) && options['include_usage'] === true,
    namedTokens: namedTokens(call),
  };
}

/** Of one answer alone, the largest that the model writes is reckoned with where it is used. */
function mostWritten(limits: readonly number[], choices: number): number | null {
  if (limits.length > 0) return Math.max(...limits) * choices;
  return choices === 1 ? null : LARGEST_OUTPUT * choices;
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
    throw notJson();
  }
  if (!isRecord(call)) throw notJson();
  return call;
}

/** @throws ModelCallInvalidError where it is set and no number of tokens or answers */
function count(call: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = call[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw new ModelCallInvalidError(`"${name}" has to be a whole number from 1.`);
  return value;
}
