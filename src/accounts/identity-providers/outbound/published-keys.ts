import { isRecord, jsonBytes } from '../../../kernel/common';

const MAX_KEYS = 100;
/** A hundred large ones have less. */
const MAX_BYTES = 131_072;
/** What is read of a key (RFC 7517 and 7518): texts. */
const NAMES = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y'];
const MAX_OPERATIONS = 10;

/** A key that a provider publishes, with what is read of it. */
type PublishedKey = Readonly<Record<string, string | readonly string[]>>;

/**
 * The keys that a provider publishes, with what is read of each alone: they are kept, and what stands beside it, or in it, may be made to
 * take many times the memory of the answer.
 * @returns null for what is no set of keys, or too large a one
 */
export function publishedKeys(text: string): readonly PublishedKey[] | null {
  const set = parsed(text);
  const found: unknown = isRecord(set) ? set['keys'] : null;
  if (!Array.isArray(found) || found.length > MAX_KEYS || !found.every(isRecord)) return null;
  const keys = found.map(publishedKey);
  return jsonBytes(keys) > MAX_BYTES ? null : keys;
}

function publishedKey(key: Readonly<Record<string, unknown>>): PublishedKey {
  const read: Record<string, string | string[]> = {};
  for (const name of NAMES) {
    const value = key[name];
    if (typeof value === 'string') read[name] = value;
  }
  const operations: readonly unknown[] | null = Array.isArray(key['key_ops']) ? key['key_ops'] : null;
  if (operations !== null)
    read['key_ops'] = operations.slice(0, MAX_OPERATIONS).filter((one) => typeof one === 'string');
  return read;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
