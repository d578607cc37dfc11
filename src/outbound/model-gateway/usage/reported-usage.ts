import { isRecord } from '../../../kernel/common';

/** The tokens of a call, of each kind; `prompt` has those in it that were read from a cache or written to one. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** How many of `cacheWrite` are kept for an hour. */
  readonly cacheWriteLong: number;
}

type Json = Readonly<Record<string, unknown>>;

/** More than any model reads or writes: what is larger is no number of tokens. */
const MOST_TOKENS = 1_000_000_000;

/**
 * Reads a provider's usage, in the form of any of the protocols.
 * @returns null for what is none, such as one with a negative number: then the gateway counts itself
 */
export function usageIn(value: unknown): Partial<Tokens> | null {
  if (!isRecord(value)) return null;
  const input = first(value, ['prompt_tokens', 'input_tokens']);
  const output = first(value, ['completion_tokens', 'output_tokens']);
  const cached = cachedIn(value);
  if ([input, output, ...Object.values(cached)].includes('wrong')) return null;
  if (typeof input !== 'number') return typeof output === 'number' ? { completion: output } : null;
  const { read, written, long, isApart } = numbersOf(cached, value);
  const prompt = isApart ? input + read + written : input;
  // Some count what a model thinks in the total alone.
  const total = first(value, ['total_tokens']);
  const beside = typeof total === 'number' ? total - prompt : 0;
  return {
    prompt,
    cacheRead: Math.min(read, prompt),
    cacheWrite: Math.min(written, prompt),
    cacheWriteLong: long,
    ...(typeof output === 'number' && { completion: Math.max(output, beside) }),
  };
}

type Found = number | 'wrong' | undefined;

/** What a usage says about a provider's cache, by the names that providers have for it. */
type Cached = Readonly<Record<'ownRead' | 'ownWritten' | 'long' | 'read' | 'written', Found>>;

function cachedIn(value: Json): Cached {
  const details = [value['prompt_tokens_details'], value['input_tokens_details']].find(isRecord) ?? {};
  const created = isRecord(value['cache_creation']) ? value['cache_creation'] : {};
  return {
    ownRead: first(value, ['cache_read_input_tokens']),
    ownWritten: first(value, ['cache_creation_input_tokens']),
    long: first(created, ['ephemeral_1h_input_tokens']),
    read: first(details, ['cached_tokens']) ?? first(value, ['prompt_cache_hit_tokens']),
    written: first(details, ['cache_write_tokens', 'cache_creation_tokens']),
  };
}

/** Anthropic's input has nothing of the cache in it; that of all others has. */
function numbersOf(
  { ownRead, ownWritten, long, read, written }: Cached,
  value: Json,
): { read: number; written: number; long: number; isApart: boolean } {
  const isApart = value['prompt_tokens'] === undefined && (ownRead ?? ownWritten) !== undefined;
  const numberOf = (found: Found): number => (typeof found === 'number' ? found : 0);
  return {
    read: numberOf(read ?? ownRead),
    written: numberOf(written ?? ownWritten),
    long: numberOf(long),
    isApart,
  };
}

function first(value: Json, names: readonly string[]): Found {
  const name = names.find((each) => value[each] !== undefined && value[each] !== null);
  if (name === undefined) return undefined;
  const number = value[name];
  const isCount =
    typeof number === 'number' && Number.isFinite(number) && number >= 0 && number <= MOST_TOKENS;
  return isCount ? Math.ceil(number) : 'wrong';
}

/** What names and ends something, and is nothing that a model wrote. */
const NOT_WRITTEN = new Set([
  'id',
  'type',
  'role',
  'signature',
  'index',
  'item_id',
  'call_id',
  'object',
  'status',
]);

/** Deeper than any answer of a model. */
const DEEPEST = 12;

/** Bytes of what a model wrote, in a part of an answer. */
export function writtenBytes(part: unknown, depth = 0): number {
  if (typeof part === 'string') return Buffer.byteLength(part);
  if (depth > DEEPEST) return 0;
  if (Array.isArray(part)) return part.reduce<number>((sum, each) => sum + writtenBytes(each, depth + 1), 0);
  if (!isRecord(part)) return 0;
  let sum = 0;
  for (const [name, value] of Object.entries(part))
    if (!NOT_WRITTEN.has(name)) sum += writtenBytes(value, depth + 1);
  return sum;
}
