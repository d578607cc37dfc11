import { ModelCallInvalidError } from '../model-gateway.errors';

/** A member of the outermost object of a JSON text, as positions in its bytes. */
export interface JsonMember {
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Members of the outermost object: operations have some dozens. */
const MOST_MEMBERS = 256;
const MOST_DEPTH = 128;
/**
 * Commas and closing brackets of a whole text, and its strings, colons and opening brackets, which cost more. To parse and to
 * look through many small values takes far longer, and far more memory, than to read as many bytes of long ones.
 */
const MOST_PIECES = 1_000_000;
const PIECES_OF_STRING = 4;
/** An empty object and its comma are ten pieces. */
const PIECES_OF_OPENING = 8;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_OBJECT = 0x7b;
const CLOSING_OBJECT = 0x7d;
const OPENING_LIST = 0x5b;
const CLOSING_LIST = 0x5d;
/** Bytes of a string that are looked at one by one before the next quote is searched for: quotes with a slash come in crowds. */
const NEAR = 64;

/** What may be left of {@link MOST_PIECES}. */
interface Allowance {
  pieces: number;
}

/**
 * Finds the members of the outermost object, so that some can be replaced while every other byte stays as it came.
 * Made to be used before the text is parsed: whatever it is, this ends in the time that it takes to read it.
 * @param bytes JSON whose value is an object; of other texts, only some are refused here
 * @throws ModelCallInvalidError for no object, and for one that would take too long to parse
 */
export function membersOf(bytes: Buffer): JsonMember[] {
  const members: JsonMember[] = [];
  const allowance: Allowance = { pieces: MOST_PIECES };
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPENING_OBJECT) throw new ModelCallInvalidError('The body has to be a JSON object.');
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === CLOSING_OBJECT) return members;
  for (;;) {
    const nameStart = at;
    at = bytes[at] === QUOTE ? endOfString(bytes, at) : bytes.length;
    const nameEnd = at;
    const name = nameIn(bytes, nameStart, nameEnd);
    at = skipSpace(bytes, nameEnd);
    if (bytes[at] !== COLON) throw notJson();
    if (members.length === MOST_MEMBERS)
      throw new ModelCallInvalidError(`The call has more than ${MOST_MEMBERS} fields.`);
    const valueStart = skipSpace(bytes, at + 1);
    const valueEnd = endOfValue(bytes, valueStart, allowance);
    members.push({ name, nameStart, nameEnd, valueStart, valueEnd });
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === CLOSING_OBJECT) return members;
    if (bytes[at] !== COMMA) throw notJson();
    at = skipSpace(bytes, at + 1);
  }
}

/** What is answered to a text that is no JSON. */
export function notJson(): ModelCallInvalidError {
  return new ModelCallInvalidError('The body has to be JSON.');
}

/**
 * The text with other values of some members, and with those that it lacks put in front.
 * @param values JSON texts, by names of members
 * @param names other names of some members
 */
export function withMembers(
  bytes: Buffer,
  members: readonly JsonMember[],
  values: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string> = new Map(),
): Buffer {
  if (values.size === 0 && names.size === 0) return bytes;
  const parts: Buffer[] = [];
  const begin = bytes.indexOf('{') + 1;
  parts.push(bytes.subarray(0, begin));
  const added = [...values].filter(([name]) => !members.some((member) => member.name === name));
  const texts = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  if (texts.length > 0) parts.push(Buffer.from(texts.join(',') + (members.length > 0 ? ',' : '')));
  let copied = begin;
  for (const { name, nameStart, nameEnd, valueStart, valueEnd } of members) {
    const [other, value] = [names.get(name), values.get(name)];
    if (other !== undefined) {
      parts.push(bytes.subarray(copied, nameStart), Buffer.from(JSON.stringify(other)));
      copied = nameEnd;
    }
    if (value === undefined) continue;
    parts.push(bytes.subarray(copied, valueStart), Buffer.from(value));
    copied = valueEnd;
  }
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

function nameIn(bytes: Buffer, start: number, end: number): string {
  try {
    const name: unknown = JSON.parse(bytes.toString('utf8', start, end));
    return String(name);
  } catch {
    throw notJson();
  }
}

function endOfValue(bytes: Buffer, start: number, allowance: Allowance): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const step = depthStep(byte);
    const isString = byte === QUOTE;
    if (isString || step !== 0 || byte === COMMA || byte === COLON) spend(allowance, byte, depth + step);
    if (isString) at = endOfString(bytes, at);
    else if (depth === 0 && (byte === COMMA || step < 0 || isSpace(byte))) return at;
    else {
      depth += step;
      at++;
    }
    if (depth === 0 && (step < 0 || isString)) return at;
  }
  throw notJson();
}

/** How much deeper a byte leads. */
function depthStep(byte: number): number {
  if (byte === OPENING_OBJECT || byte === OPENING_LIST) return 1;
  return byte === CLOSING_OBJECT || byte === CLOSING_LIST ? -1 : 0;
}

/** @throws ModelCallInvalidError where a text would take too long to parse */
function spend(allowance: Allowance, byte: number, depth: number): void {
  if (depth > MOST_DEPTH) throw new ModelCallInvalidError(`The call is more than ${MOST_DEPTH} levels deep.`);
  allowance.pieces -= piecesOf(byte);
  if (allowance.pieces < 0) throw new ModelCallInvalidError('The call has too many values in it.');
}

function piecesOf(byte: number): number {
  if (byte === OPENING_OBJECT || byte === OPENING_LIST) return PIECES_OF_OPENING;
  return byte === COLON || byte === QUOTE ? PIECES_OF_STRING : 1;
}

/** The position behind the closing quote: most of a call is long strings, which Node searches faster than we can. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    for (const near = at + NEAR; at < near; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) throw notJson();
    let slashes = 0;
    while (quote - 1 - slashes >= at && bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}
