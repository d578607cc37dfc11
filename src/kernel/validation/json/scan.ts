import { MAX_DEPTH, MAX_INTEGER_DIGITS } from './read-exact';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @returns the index after the closing quote of the string that opens at `start`, or the text's length */
export function endOfString(text: string, start: number): number {
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
