/** A member of the outermost object of a JSON text, as positions in its bytes. */
export interface JsonMember {
  readonly name: string;
  readonly valueStart: number;
  readonly valueEnd: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Finds the members of the outermost object, so that some can be replaced while every other byte stays as it came.
 * @param bytes valid JSON whose value is an object
 */
export function membersOf(bytes: Buffer): JsonMember[] {
  const members: JsonMember[] = [];
  let at = bytes.indexOf('{') + 1;
  for (;;) {
    while (SPACE.has(bytes[at] ?? 0) || bytes[at] === COMMA) at++;
    if (bytes[at] !== QUOTE) return members;
    const nameEnd = endOfString(bytes, at);
    const name: unknown = JSON.parse(bytes.toString('utf8', at, nameEnd));
    const valueStart = skipSpace(bytes, bytes.indexOf(':', nameEnd) + 1);
    const valueEnd = endOfValue(bytes, valueStart);
    members.push({ name: String(name), valueStart, valueEnd });
    at = valueEnd;
  }
}

/**
 * The text with other values of some members, and with those that it lacks put in front.
 * @param values JSON texts, by names of members
 */
export function withMembers(
  bytes: Buffer,
  members: readonly JsonMember[],
  values: ReadonlyMap<string, string>,
): Buffer {
  if (values.size === 0) return bytes;
  const parts: Buffer[] = [];
  const begin = bytes.indexOf('{') + 1;
  parts.push(bytes.subarray(0, begin));
  const added = [...values].filter(([name]) => !members.some((member) => member.name === name));
  const texts = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  if (texts.length > 0) parts.push(Buffer.from(texts.join(',') + (members.length > 0 ? ',' : '')));
  let copied = begin;
  for (const { name, valueStart, valueEnd } of members) {
    const value = values.get(name);
    if (value === undefined) continue;
    parts.push(bytes.subarray(copied, valueStart), Buffer.from(value));
    copied = valueEnd;
  }
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (depth === 0 && (byte === COMMA || CLOSING.has(byte) || SPACE.has(byte))) return at;
    else {
      if (OPENING.has(byte)) depth++;
      else if (CLOSING.has(byte)) depth--;
      at++;
    }
    if (depth === 0 && (CLOSING.has(byte) || byte === QUOTE)) return at;
  }
}

/** The position behind the closing quote: most of a call is long strings, which Node searches faster than we can. */
function endOfString(bytes: Buffer, start: number): number {
  let quote = start;
  for (;;) {
    quote = bytes.indexOf(QUOTE, quote + 1);
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (SPACE.has(bytes[at] ?? 0)) at++;
  return at;
}
