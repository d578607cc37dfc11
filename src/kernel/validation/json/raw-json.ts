import { MAX_DEPTH, MAX_INTEGER_DIGITS } from './read-exact';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @returns the index after the closing quote of the string that opens at `start`, or the text's length */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/**
 * Whether the text may break a limit that `JSON.parse` does not have: its nesting, or a run of digits long
 * enough for an integer that is refused. Only a careful reading then says whether it does.
 */
export function mayBreakLimits(text: string): boolean {
  return text.length > 2 * MAX_DEPTH && (nestsTooDeep(text) || hasLongDigitRun(text));
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i) - 1;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Looks at every MAX_INTEGER_DIGITS-th character only: a longer run of digits has one of them. */
function hasLongDigitRun(text: string): boolean {
  for (let i = MAX_INTEGER_DIGITS; i < text.length; i += MAX_INTEGER_DIGITS) {
    if (!isDigit(text, i)) continue;
    let start = i;
    while (isDigit(text, start - 1)) start--;
    let end = i;
    while (isDigit(text, end)) end++;
    if (end - start > MAX_INTEGER_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^,\]}\s]*/y;

/**
 * The source text of a part of a JSON text, unmodified: message contents are kept and forwarded as they
 * came (docs/contract.md#values-that-cannot-be-stored). Takes time linear in the text.
 * @param text JSON; what is not finite in it becomes `null`
 * @param path keys and indexes that lead to the part; of several equal keys the last counts
 * @returns the part's text, or undefined when there is none
 */
export function rawJsonAt(text: string, path: readonly (string | number)[]): string | undefined {
  let at = skip(SPACE, text, 0);
  for (const step of path) {
    const found = typeof step === 'number' ? itemAt(text, at, step) : memberAt(text, at, step);
    if (found === undefined) return undefined;
    at = found;
  }
  return finiteJson(text.slice(at, endOfValue(text, at)));
}

/**
 * The source texts of the items of a JSON array, each unmodified.
 * @param text JSON; what is not finite in it becomes `null`
 * @returns nothing for any other value than an array
 */
export function rawJsonItems(text: string): string[] {
  const items: string[] = [];
  let at = skip(SPACE, text, 0);
  if (text[at] !== '[') return items;
  at = skip(SPACE, text, at + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    items.push(finiteJson(text.slice(at, end)));
    at = nextStart(text, end);
  }
  return items;
}

function memberAt(text: string, start: number, key: string): number | undefined {
  if (text[start] !== '{') return undefined;
  let found: number | undefined;
  let at = skip(SPACE, text, start + 1);
  while (text[at] === '"') {
    const afterKey = endOfString(text, at);
    const name: unknown = JSON.parse(text.slice(at, afterKey));
    const value = skip(SPACE, text, skip(SPACE, text, afterKey) + 1);
    if (name === key) found = value;
    at = nextStart(text, endOfValue(text, value));
  }
  return found;
}

function itemAt(text: string, start: number, index: number): number | undefined {
  if (text[start] !== '[') return undefined;
  let at = skip(SPACE, text, start + 1);
  for (let i = 0; i < index && at < text.length && text[at] !== ']'; i++) {
    at = nextStart(text, endOfValue(text, at));
  }
  return at < text.length && text[at] !== ']' ? at : undefined;
}

/** From the end of one member or item to the start of the next, or to the closing bracket. */
function nextStart(text: string, end: number): number {
  const at = skip(SPACE, text, end);
  return text[at] === ',' ? skip(SPACE, text, at + 1) : at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== '{' && text[start] !== '[') return skip(SCALAR, text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function skip(what: RegExp, text: string, from: number): number {
  what.lastIndex = from;
  what.test(text);
  return Math.max(what.lastIndex, from);
}

/**
 * JSON in which `NaN` and the infinities, which some writers put there and no JSON has, are `null`
 * (docs/contract.md#values-that-cannot-be-stored). Takes time linear in the text.
 * @param text JSON, but for these
 */
export function finiteJson(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text;
  const parts: string[] = [];
  const token = /"|-?Infinity|NaN/g;
  let copied = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { index } = found;
    if (found[0] === '"') {
      token.lastIndex = endOfString(text, index);
      continue;
    }
    parts.push(text.slice(copied, index), 'null');
    copied = token.lastIndex;
  }
  return parts.join('') + text.slice(copied);
}
