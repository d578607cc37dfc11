/**
 * White space as `trim` has it everywhere in requests: Unicode's White_Space, which has U+0085 and lacks
 * U+FEFF, unlike the `trim` of the language.
 */
export function trimSpace(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f) return text;
  return text.replace(LEADING, '').replace(TRAILING, '');
}

const LEADING = /^\p{White_Space}+/u;
const TRAILING = /(?<!\p{White_Space})\p{White_Space}+$/u;

/** The number of characters of a text, an astral one counted once. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--;
      i++;
    }
  }
  return length;
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
export function quotedChoice(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
