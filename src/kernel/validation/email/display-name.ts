const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`, 'u');
const SPACE_CHARACTER = new RegExp(`[${SPACE}]`, 'u');
const NAME = new RegExp(`^[\\p{L}\\p{N}_!#$%&'*+/=?^\`{|}~${SPACE}-]*$`, 'u');
const END_OF_QUOTED = new RegExp(`"[${SPACE}]*<`, 'gu');

/** Drops white space at both ends, file and record separators included. */
export function stripWhiteSpace(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE_CHARACTER.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING, '');
}

/** The address of `Name <address>` and `"Any name" <address>`; any other text as it is. */
export function withoutDisplayName(text: string): string {
  const trimmed = stripWhiteSpace(text);
  if (!trimmed.endsWith('>')) return text;
  const open = openingBracket(trimmed);
  if (open < 0) return text;
  const address = trimmed.slice(open + 1, -1);
  return address === '' || address.includes('\n') ? text : address;
}

function openingBracket(text: string): number {
  if (text.startsWith('"')) {
    const ends = [...text.matchAll(END_OF_QUOTED)].filter(({ index }) => index > 1);
    const last = ends.at(-1);
    return last ? last.index + last[0].length - 1 : -1;
  }
  const open = text.indexOf('<');
  return open >= 0 && NAME.test(text.slice(0, open)) ? open : -1;
}
