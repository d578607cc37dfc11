import type { Cursor } from '../errors/cursor';
import { ExactNumber } from '../json/exact-values';
import { isInt64 } from './numbers';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word) => [word, false] as const),
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word) => [word, true] as const),
]);
const LONGEST_WORD = 5;

/** Checks a `boolean()`. */
export function checkBoolean(value: unknown, at: Cursor): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const word = value.length > LONGEST_WORD ? undefined : WORDS.get(asciiLower(value));
    return word ?? unclear(value, at);
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const plain = typeof value === 'number' ? value : value.value;
    if (plain === 0 || plain === 1) return plain === 1;
    if (isInt64(value)) return unclear(value, at);
  }
  return at.reject('bool_type', 'Input should be a valid boolean', value);
}

function unclear(value: unknown, at: Cursor): unknown {
  return at.reject('bool_parsing', 'Input should be a valid boolean, unable to interpret input', value);
}

/** Only ASCII letters are folded: the Kelvin sign is no k. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
