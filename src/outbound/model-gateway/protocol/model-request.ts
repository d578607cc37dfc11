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
  if (limits.length > 0) return Math.min(...limits) * choices;
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

/**
 * The body for a provider: the bytes that came, with another name of the model, the largest output where the provider looks for
 * it, and a stream's usage asked for.
 */
export function bodyFor(request: ModelRequest, changes: Changes): Buffer {
  const { body, members } = request;
  const values = new Map<string, string>();
  if (changes.model !== request.model) values.set('model', JSON.stringify(changes.model));
  const { limits, renamed } = limitsFor(request, changes);
  for (const [name, value] of limits) values.set(name, String(value));
  if (asksForUsage(request)) {
    const options = members.find(({ name }) => name === 'stream_options');
    const given: unknown =
      options === undefined ? null : JSON.parse(body.toString('utf8', options.valueStart, options.valueEnd));
    const all = { ...(isRecord(given) && given), include_usage: true };
    values.set('stream_options', JSON.stringify(all));
  }
  return withMembers(body, members, values, renamed);
}

/** Whether the gateway asks for a stream's usage that the caller does not want. */
export function asksForUsage({ protocol, streams, wantsUsage }: ModelRequest): boolean {
  return protocol === 'chat' && streams && !wantsUsage;
}

/** What is changed of the limits of a call: one that the provider passes over is none, and was reserved by. */
interface LimitChanges {
  /** By the names that they came with, or new ones. */
  readonly limits: readonly (readonly [name: string, value: number])[];
  readonly renamed: ReadonlyMap<string, string>;
}

function limitsFor(
  { protocol, body, members }: ModelRequest,
  { maxOutput, provider }: Changes,
): LimitChanges {
  const names = LIMITS[protocol];
  const given = members.filter(({ name }) => names.includes(name));
  const set = given.flatMap(({ name, valueStart, valueEnd }): [string, number][] => {
    const value: unknown = JSON.parse(body.toString('utf8', valueStart, valueEnd));
    return typeof value === 'number' ? [[name, value]] : [];
  });
  const most = Math.min(maxOutput ?? Infinity, ...set.map(([, value]) => value));
  if (names.length === 0 || most === Infinity) return { limits: [], renamed: new Map() };
  const limits = new Map(set.filter(([, value]) => value > most).map(([name]) => [name, most]));
  const [only] = set.length === 1 ? set : [];
  const wanted = limitName(protocol, provider, only?.[0]);
  const isThere = given.some(({ name }) => name === wanted);
  if (only !== undefined && only[0] !== wanted && !isThere)
    return { limits: [...limits], renamed: new Map([[only[0], wanted]]) };
  if (!set.some(([name]) => name === wanted)) limits.set(wanted, most);
  return { limits: [...limits], renamed: new Map() };
}

/**
 * Where a provider looks for the limit: OpenAI's newer models refuse the older name, and the older ones none; most others know
 * the older one only, and some write on past the newer one.
 */
function limitName(protocol: Protocol, provider: string, given: string | undefined): string {
  const [first = '', older = first] = LIMITS[protocol];
  return provider === 'openai' || provider === 'azure' ? (given ?? first) : older;
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
