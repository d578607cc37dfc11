import { isIPv4, isIPv6 } from 'node:net';
import { checkInvalid, checkUnsafe, numberOf } from './characters';
import { readInternationalDomain } from './international-domain';

const NOT_DOMAIN = /[^A-Za-z0-9.\u0080-\u{10ffff}-]/gu;
const ASCII = /^[\x00-\x7f]*$/;
const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
/** Names that never receive mail, by themselves and as the last label. */
const SPECIAL_USE = /(?:^|\.)(?:arpa|invalid|local|localhost|onion|test)$/;

/** A domain in the spelling of the wire and in that of people, or what is wrong with it. */
type ReadDomain =
  | { readonly ascii: string; readonly unicode: string; readonly error?: undefined }
  | { readonly error: string };

/** Reads the part after the @-sign. */
export function readDomain(text: string): ReadDomain {
  if (text === '') return { error: 'There must be something after the @-sign.' };
  if (text.startsWith('[') && text.endsWith(']')) return { error: checkLiteral(text.slice(1, -1)) };
  const characters =
    checkInvalid(text, NOT_DOMAIN, 'The part after the @-sign contains invalid characters') ??
    checkUnsafe(text);
  if (characters !== undefined) return { error: characters };
  // The mapping of UTS 46: compatibility forms, case and the dots of other scripts.
  const mapped = ASCII.test(text) ? text.toLowerCase() : mapToLower(text);
  const ignorable = /\p{Default_Ignorable_Code_Point}/u.exec(mapped);
  if (ignorable) {
    const codepoint = `Codepoint ${numberOf(ignorable[0])} not allowed at position ${ignorable.index + 1}`;
    return { error: `The part after the @-sign contains invalid characters (${codepoint} in '${text}').` };
  }
  const shape = checkShape(mapped);
  if (shape !== undefined) return { error: shape };
  const isPlain = ASCII.test(mapped) && !/(?:^|\.)xn--/.test(mapped);
  const international = isPlain
    ? { ascii: mapped, unicode: mapped, punycodeError: undefined }
    : readInternationalDomain(mapped);
  if (international.ascii === undefined) {
    return { error: `The part after the @-sign is invalid (${international.error}).` };
  }
  const error = checkName(international.ascii) ?? international.punycodeError;
  return error === undefined ? international : { error };
}

function checkLiteral(literal: string): string {
  if (isIPv4(literal) || (literal.startsWith('IPv6:') && isIPv6(literal.slice(5)))) {
    return 'A bracketed IP address after the @-sign is not allowed here.';
  }
  return literal.startsWith('IPv6:')
    ? 'The IPv6 address in brackets after the @-sign is not valid.'
    : 'The part after the @-sign in brackets is not an IPv4 address and has no address literal tag.';
}

function mapToLower(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\ufe00-\ufe0f]/g, '')
    .normalize('NFKC')
    .replace(/\u3002/g, '.');
}

/** Periods and hyphens where there may be none. */
function checkShape(domain: string): string | undefined {
  if (domain.endsWith('.')) return 'An email address cannot end with a period.';
  if (domain.startsWith('.')) return 'An email address cannot have a period immediately after the @-sign.';
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.';
  if (domain.endsWith('-')) return 'An email address cannot end with a hyphen.';
  if (domain.startsWith('-')) return 'An email address cannot have a hyphen immediately after the @-sign.';
  if (domain.includes('.-') || domain.includes('-.')) {
    return 'An email address cannot have a period and a hyphen next to each other.';
  }
  if (/(?:^|\.)(?!xn--)[^.]{2}--/u.test(domain)) {
    return 'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.';
  }
  return undefined;
}

function checkName(domain: string): string | undefined {
  if (domain.length > MAX_DOMAIN) {
    return `The email address is too long after the @-sign (${tooMany(domain.length - MAX_DOMAIN)}).`;
  }
  const labels = domain.split('.');
  const long = labels.find((label) => label.length > MAX_LABEL);
  if (long !== undefined) {
    const excess = tooMany(long.length - MAX_LABEL);
    return `After the @-sign, periods cannot be separated by so many characters (${excess}).`;
  }
  if (labels.length === 1) return 'The part after the @-sign is not valid. It should have a period.';
  if (!/[a-z]$/.test(domain)) {
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  }
  return SPECIAL_USE.test(domain)
    ? 'The part after the @-sign is a special-use or reserved name that cannot be used with email.'
    : undefined;
}

/** `3 characters too many` */
export function tooMany(count: number): string {
  return `${count} character${count === 1 ? '' : 's'} too many`;
}
