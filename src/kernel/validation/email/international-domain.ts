import { domainToASCII, domainToUnicode } from 'node:url';
import { numberOf } from './characters';

const MAX_LABEL = 63;
/** RFC 5892: letters, marks and digits, and six characters by name. */
const LETTER = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u06fd\u06fe\u0f0b\u3007-]$/u;
const STABLE_BY_NAME = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/;
/** RFC 5892: refused by name, and what is left of old Hangul; also what has no appearance of its own. */
const REFUSED =
  /^[\u302e\u302f\u0640\u07fa\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\p{Default_Ignorable_Code_Point}]$/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u0660-\u0669]/u;
const STARTS_LEFT = /^[\p{Ll}\p{Lo}\p{Lm}]/u;
const EXTENDED_ARABIC_DIGIT = /[\u06f0-\u06f9]/;
const ARABIC_DIGIT = /[\u0660-\u0669]/;

/** An internationalized domain in both spellings, or why it is none. */
type InternationalDomain =
  | {
      readonly ascii: string;
      readonly unicode: string;
      /** Reported only when nothing else is wrong with the name. */
      readonly punycodeError: string | undefined;
    }
  | { readonly ascii?: undefined; readonly error: string };

/**
 * Brings a domain to its spelling on the wire under IDNA 2008. What Node does for URLs is the base; it lets
 * symbols through, which domains of mail may not have, so each character is looked at as well.
 * @param domain mapped to lower case already
 */
export function readInternationalDomain(domain: string): InternationalDomain {
  for (const label of domain.split('.')) {
    const error = label.startsWith('xn--') ? undefined : checkLabel(label);
    if (error !== undefined) return { error };
  }
  const ascii = domainToASCII(domain);
  const isPunycode = /(?:^|\.)xn--/.test(domain);
  if (ascii === '' && !isPunycode) return { error: 'Invalid domain' };
  const unicode = domainToUnicode(domain);
  return {
    ascii: ascii || domain,
    unicode: unicode || domain,
    punycodeError: checkPunycode(domain, unicode),
  };
}

function checkPunycode(domain: string, unicode: string): string | undefined {
  if (!/(?:^|\.)xn--/.test(domain)) return undefined;
  const decoded = unicode.split('.');
  for (const [index, label] of domain.split('.').entries()) {
    if (!label.startsWith('xn--')) continue;
    const ulabel = decoded[index] ?? '';
    const isCanonical = ulabel !== '' && ulabel !== label && domainToASCII(ulabel) === label;
    const error = isCanonical ? checkLabel(ulabel) : 'Invalid A-label';
    if (error !== undefined) return `The part after the @-sign is not valid IDNA (${error}).`;
  }
  return undefined;
}

function checkLabel(label: string): string | undefined {
  if (/^[\x00-\x7f]*$/.test(label)) return undefined;
  if (label.normalize('NFC') !== label) return 'Label must be in Normalization Form C';
  if (/^\p{M}/u.test(label)) return 'Label begins with an illegal combining character';
  const characters = Array.from(label);
  for (const [index, character] of characters.entries()) {
    if (isRefused(character)) {
      return `Codepoint ${numberOf(character)} at position ${index + 1} of '${label}' not allowed`;
    }
    if (!fitsItsContext(character, index, characters)) {
      return `Codepoint ${numberOf(character)} not allowed at position ${index + 1} in '${label}'`;
    }
  }
  if (RIGHT_TO_LEFT.test(label)) {
    const [first = ''] = characters;
    if (!RIGHT_TO_LEFT.test(first) || !STARTS_LEFT.test(first)) {
      return `First codepoint in label '${label}' must be directionality L, R or AL`;
    }
  }
  return domainToASCII(label).length > MAX_LABEL ? 'Label too long' : undefined;
}

function isRefused(character: string): boolean {
  if (hasContext(character)) return false;
  if (REFUSED.test(character) || !LETTER.test(character)) return true;
  const folded = character.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded !== character && !STABLE_BY_NAME.test(character);
}

function hasContext(character: string): boolean {
  return /^[\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669\u06f0-\u06f9]$/.test(character);
}

/** RFC 5892, appendix A: characters that are fine among some neighbours only. */
function fitsItsContext(character: string, index: number, label: readonly string[]): boolean {
  const before = label[index - 1] ?? '';
  const after = label[index + 1] ?? '';
  switch (character) {
    case '\u00b7':
      return before === 'l' && after === 'l';
    case '\u0375':
      return /\p{Script=Greek}/u.test(after);
    case '\u05f3':
    case '\u05f4':
      return /\p{Script=Hebrew}/u.test(before);
    case '\u30fb':
      return label.some((other) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(other));
    default:
      if (ARABIC_DIGIT.test(character)) return !label.some((other) => EXTENDED_ARABIC_DIGIT.test(other));
      if (EXTENDED_ARABIC_DIGIT.test(character)) return !label.some((other) => ARABIC_DIGIT.test(other));
      return true;
  }
}
