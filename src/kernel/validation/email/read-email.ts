import { lengthOf } from '../scalars/string';
import { displayed, checkInvalid, checkUnsafe } from './characters';
import { readDomain, tooMany } from './domain';

const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`, 'u');
const SPACE_CHARACTER = new RegExp(`[${SPACE}]`, 'u');
const NAME = new RegExp(`^[\\p{L}\\p{N}_!#$%&'*+/=?^\`{|}~${SPACE}-]*$`, 'u');
const END_OF_QUOTED = new RegExp(`"[${SPACE}]*<`, 'gu');

/** Drops white space at both ends, file and record separators included. */
function stripWhiteSpace(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE_CHARACTER.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING, '');
}

/** The address of `Name <address>` and `"Any name" <address>`; any other text as it is. */
function withoutDisplayName(text: string): string {
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

const MAX_TEXT = 2048;
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const ATEXT = "-A-Za-z0-9!#$%&'*+/=?^_`{|}~";
const NOT_LOCAL = new RegExp(`[^${ATEXT}.\\u0080-\\u{10ffff}]`, 'gu');
const NOT_NAME = new RegExp(`[^${ATEXT} \\u0080-\\u{10ffff}]|(?! )[\\p{M}\\p{C}\\p{Z}]`, 'gu');

/** An address in its normalized spelling, or what is wrong with it. */
type ReadEmail =
  | { readonly address: string; readonly error?: undefined }
  | { readonly error: string; readonly address?: undefined };

/** Reads an e-mail address, `Name <address>` included; reports the first error. */
export function readEmail(text: string): ReadEmail {
  if (lengthOf(text) > MAX_TEXT) {
    return { error: `Length must not exceed ${MAX_TEXT} characters` };
  }
  return readAddress(stripWhiteSpace(withoutDisplayName(text)));
}

function readAddress(email: string): ReadEmail {
  const split = indexOfUnquoted(email, '@<');
  const local = email.slice(0, split);
  if (split < 0) return { error: 'An email address must have an @-sign.' };
  if (email[split] === '<') return { error: checkBrackets(email, split) };
  const localError = checkQuotes(local) ?? checkLocal(local);
  if (localError !== undefined) return { error: localError };
  if (local.startsWith('"') && local.endsWith('"')) {
    return { error: 'Quoting the part before the @-sign is not allowed here.' };
  }
  const domain = readDomain(email.slice(split + 1));
  if (domain.error !== undefined) return domain;
  const folded = local.toLowerCase() === 'postmaster' ? 'postmaster' : local.normalize('NFC');
  const ascii = `${folded}@${domain.ascii}`;
  const excess =
    Math.max(Buffer.byteLength(ascii), Buffer.byteLength(`${folded}@${domain.unicode}`)) - MAX_ADDRESS;
  if (excess > 0) return { error: `The email address is too long (${tooMany(excess)}).` };
  return { address: `${folded}@${domain.unicode}` };
}

function checkLocal(local: string): string | undefined {
  if (local === '' || local === '""') return 'There must be something before the @-sign.';
  if (local.startsWith('"') && local.endsWith('"')) return undefined;
  const excess = lengthOf(local) - MAX_LOCAL;
  if (excess > 0) return `The email address is too long before the @-sign (${tooMany(excess)}).`;
  const error = checkLocalText(local);
  if (error !== undefined) return error;
  const normalized = local.normalize('NFC');
  const later = normalized === local ? undefined : checkLocalText(normalized);
  return later === undefined ? undefined : `After Unicode normalization: ${later}`;
}

function checkLocalText(local: string): string | undefined {
  return (
    checkInvalid(local, NOT_LOCAL, 'The email address contains invalid characters before the @-sign') ??
    checkPeriods(local) ??
    checkUnsafe(local)
  );
}

function checkPeriods(local: string): string | undefined {
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.';
  if (local.startsWith('.')) return 'An email address cannot start with a period.';
  if (local.includes('..')) return 'An email address cannot have two periods in a row.';
  return undefined;
}

/** What is wrong with a text that has an angle bracket and is not of the form `Name <address>`. */
function checkBrackets(email: string, open: number): string {
  const name = email.slice(0, open).trimEnd();
  const nameError = name.startsWith('"')
    ? checkQuotes(name)
    : checkInvalid(name, NOT_NAME, 'The display name contains invalid characters when not quoted');
  if (nameError !== undefined) return nameError;
  const close = email.lastIndexOf('>');
  if (close < open) {
    return 'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.';
  }
  if (close < email.length - 1) return "There can't be anything after the email address.";
  const { error } = readAddress(email.slice(open + 1, close));
  return error ?? 'A display name and angle brackets around the email address are not permitted here.';
}

/** What stands behind the quotes that a text begins with; its characters are listed as they come. */
function checkQuotes(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  let end = 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  const extra = Array.from(text.slice(end + 1));
  if (extra.length === 0) return undefined;
  return `Extra character(s) found after close quote: ${extra.map(displayed).join(', ')}`;
}

/** The place of the first of these characters that is neither in quotes nor part of a combination. */
function indexOfUnquoted(text: string, wanted: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (quoted && character === '\\') i++;
    else if (character === '"' && !isCombined(text, i)) quoted = !quoted;
    else if (!quoted && wanted.includes(character) && !isCombined(text, i)) return i;
  }
  return -1;
}

/** `<` and U+0338 are one character to a reader. */
function isCombined(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return (
    next >= 0x300 &&
    !text
      .slice(at, at + 2)
      .normalize('NFC')
      .startsWith(text.charAt(at))
  );
}
