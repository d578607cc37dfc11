import { COMBINING_MARKS } from './combining-marks';

const FIRST_COMBINING_MARK = 0x300;
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const UNSAFE = /[\p{C}\p{Z}]/gu;
const LEADING_MARK = /^\p{M}/u;

/**
 * What is wrong with the characters of a text, as a sentence.
 * @param invalid matches, globally, what is not allowed there
 * @param sentence that the list of these characters ends
 */
export function checkInvalid(text: string, invalid: RegExp, sentence: string): string | undefined {
  const wrong = text.match(invalid);
  return wrong ? `${sentence}: ${[...new Set(wrong.map(displayed))].sort().join(', ')}.` : undefined;
}

/** Names the characters of a text that are invisible, or that change the one before them. */
export function checkUnsafe(text: string): string | undefined {
  const unsafe = [...(text.match(LEADING_MARK) ?? []), ...(text.match(UNSAFE) ?? [])];
  if (unsafe.length === 0) return undefined;
  const distinct = [...new Set(unsafe)].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
  return `The email address contains unsafe characters: ${distinct.map(displayed).join(', ')}.`;
}

/** A character as a message shows it: quoted where it can be seen, else by name or number. */
export function displayed(character: string): string {
  if (character === '\\') return '"\\"';
  if (character === "'") return `"'"`;
  if (VISIBLE.test(character)) return `'${character}'`;
  return nameOf(character.codePointAt(0) ?? 0) ?? numberOf(character, 8);
}

function nameOf(code: number): string | undefined {
  if (code >= 0xfe00 && code <= 0xfe0f) return `VARIATION SELECTOR-${code - 0xfe00 + 1}`;
  if (code >= 0xe0100 && code <= 0xe01ef) return `VARIATION SELECTOR-${code - 0xe0100 + 17}`;
  return COMBINING_MARKS[code - FIRST_COMBINING_MARK] ?? NAMES.get(code);
}

/** `U+0009`; beyond U+FFFF in lists of characters with eight digits. */
export function numberOf(character: string, astralDigits = 5): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code
    .toString(16)
    .toUpperCase()
    .padStart(code > 0xffff ? astralDigits : 4, '0')}`;
}

/** The Unicode names of spaces and format characters; what is rarer than these is shown by its number. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x20, 'SPACE'],
  [0xa0, 'NO-BREAK SPACE'],
  [0xad, 'SOFT HYPHEN'],
  [0x61c, 'ARABIC LETTER MARK'],
  [0x1680, 'OGHAM SPACE MARK'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x2000, 'EN QUAD'],
  [0x2001, 'EM QUAD'],
  [0x2002, 'EN SPACE'],
  [0x2003, 'EM SPACE'],
  [0x2004, 'THREE-PER-EM SPACE'],
  [0x2005, 'FOUR-PER-EM SPACE'],
  [0x2006, 'SIX-PER-EM SPACE'],
  [0x2007, 'FIGURE SPACE'],
  [0x2008, 'PUNCTUATION SPACE'],
  [0x2009, 'THIN SPACE'],
  [0x200a, 'HAIR SPACE'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x202f, 'NARROW NO-BREAK SPACE'],
  [0x205f, 'MEDIUM MATHEMATICAL SPACE'],
  [0x2060, 'WORD JOINER'],
  [0x2061, 'FUNCTION APPLICATION'],
  [0x2062, 'INVISIBLE TIMES'],
  [0x2063, 'INVISIBLE SEPARATOR'],
  [0x2064, 'INVISIBLE PLUS'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x3000, 'IDEOGRAPHIC SPACE'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xfff9, 'INTERLINEAR ANNOTATION ANCHOR'],
  [0xfffa, 'INTERLINEAR ANNOTATION SEPARATOR'],
  [0xfffb, 'INTERLINEAR ANNOTATION TERMINATOR'],
  [0x600, 'ARABIC NUMBER SIGN'],
  [0x601, 'ARABIC SIGN SANAH'],
  [0x602, 'ARABIC FOOTNOTE MARKER'],
  [0x603, 'ARABIC SIGN SAFHA'],
  [0x604, 'ARABIC SIGN SAMVAT'],
  [0x605, 'ARABIC NUMBER MARK ABOVE'],
  [0x6dd, 'ARABIC END OF AYAH'],
  [0x70f, 'SYRIAC ABBREVIATION MARK'],
  [0x890, 'ARABIC POUND MARK ABOVE'],
  [0x891, 'ARABIC PIASTRE MARK ABOVE'],
  [0x8e2, 'ARABIC DISPUTED END OF AYAH'],
  [0x206a, 'INHIBIT SYMMETRIC SWAPPING'],
  [0x206b, 'ACTIVATE SYMMETRIC SWAPPING'],
  [0x206c, 'INHIBIT ARABIC FORM SHAPING'],
  [0x206d, 'ACTIVATE ARABIC FORM SHAPING'],
  [0x206e, 'NATIONAL DIGIT SHAPES'],
  [0x206f, 'NOMINAL DIGIT SHAPES'],
  [0x110bd, 'KAITHI NUMBER SIGN'],
  [0x110cd, 'KAITHI NUMBER SIGN ABOVE'],
]);
