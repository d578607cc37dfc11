import type { Cursor } from '../errors/cursor';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SIMPLE = /^[0-9a-f]{32}$/i;
const PREFIX = 'urn:uuid:';
/** Where each group but the last starts, and how long it is. */
const GROUPS = [
  [0, 8],
  [9, 4],
  [14, 4],
  [19, 4],
] as const;
const LAST_GROUP_START = 24;

/** Checks a `uuid()`; the value is lower case with hyphens. */
export function checkUuid(value: unknown, at: Cursor): unknown {
  if (typeof value !== 'string') {
    return at.reject('uuid_type', 'UUID input should be a string, bytes or UUID object', value);
  }
  if (CANONICAL.test(value)) return value;
  const uuid = readUuid(value);
  if (uuid !== undefined) return uuid;
  if (at.isDone) return at.reject('uuid_parsing', '', value);
  const error = reasonNotUuid(value);
  return at.reject('uuid_parsing', `Input should be a valid UUID, ${error}`, value, { error });
}

export function readUuid(text: string): string | undefined {
  if (SIMPLE.test(text)) {
    const hex = text.toLowerCase();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  const inner = unwrapped(text);
  return HYPHENATED.test(inner) ? inner.toLowerCase() : undefined;
}

/** Drops one pair of braces or one prefix around a hyphenated spelling. */
function unwrapped(text: string): string {
  if (text.length === 38 && text.startsWith('{') && text.endsWith('}')) return text.slice(1, -1);
  if (text.length === 45 && text.startsWith(PREFIX)) return text.slice(PREFIX.length);
  return text;
}

/** The explanation clients know from the modelled framework; lengths and places are in UTF-8 bytes. */
function reasonNotUuid(text: string): string {
  // A byte per character, so that places in the string are places in the bytes.
  const whole = Buffer.from(text, 'utf8').toString('latin1');
  const bytes = unwrapped(whole);
  const braced = bytes.length > 1 && bytes.startsWith('{') && bytes.endsWith('}');
  const prefixed = !braced && bytes.startsWith(PREFIX);
  const offset = braced ? 1 : prefixed ? PREFIX.length : 0;
  const core = braced ? bytes.slice(1, -1) : bytes.slice(offset);
  const invalidAt = core.search(/[^0-9a-fA-F-]/);
  if (invalidAt >= 0) {
    const [character = ''] = Buffer.from(core.slice(invalidAt), 'latin1').toString('utf8');
    return (
      'invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], ' +
      `found \`${character}\` at ${invalidAt + offset + 1}`
    );
  }
  const hyphens = [...core.matchAll(/-/g)].map(({ index }) => index);
  if (offset === 0 && hyphens.length === 0) {
    return `invalid length: expected length 32 for simple format, found ${bytes.length}`;
  }
  if (hyphens.length !== 4) return `invalid group count: expected 5, found ${hyphens.length + 1}`;
  for (const [group, [start, length]] of GROUPS.entries()) {
    const end = hyphens[group] ?? 0;
    if (end !== start + length) {
      return `invalid group length in group ${group}: expected ${length}, found ${end - start}`;
    }
  }
  return `invalid group length in group 4: expected 12, found ${bytes.length - LAST_GROUP_START}`;
}
