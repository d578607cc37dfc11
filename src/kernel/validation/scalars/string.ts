import type { Check, Cursor } from '../errors/cursor';
import type { TextRule, TypeShape } from '../declaration/field-types';

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
function quotedChoice(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

/** Makes the check of a `string(...)`. */
export function stringCheck(type: Extract<TypeShape, { kind: 'string' }>): Check {
  const { trim, rule, minLength, maxLength } = type;
  if (!trim && !rule && minLength === undefined && maxLength === undefined) return checkString;
  return (value, at) => {
    if (typeof value !== 'string') return checkString(value, at);
    const text = trim ? trimSpace(value) : value;
    const length = minLength === undefined && maxLength === undefined ? 0 : lengthOf(text);
    if (minLength !== undefined && length < minLength) {
      const msg = `String should have at least ${minLength} ${characters(minLength)}`;
      return at.reject('string_too_short', msg, value, { min_length: minLength });
    }
    if (maxLength !== undefined && length > maxLength) {
      const msg = `String should have at most ${maxLength} ${characters(maxLength)}`;
      return at.reject('string_too_long', msg, value, { max_length: maxLength });
    }
    return rule ? checkRule(rule, text, value, at) : text;
  };
}

/**
 * Makes the check of a `oneOf(...)` or a `literal(...)`: exactly these texts, no trimming, no case folding.
 * @param values looked at when a value is checked: an array may change until then
 */
export function choiceCheck(type: 'enum' | 'literal_error', values: readonly string[]): Check {
  return (value, at) => {
    if (values.some((allowed) => allowed === value)) return value;
    const expected = quotedChoice(values);
    return at.reject(type, `Input should be ${expected}`, value, { expected });
  };
}

/** Reports the complaint of a custom rule; clients expect the empty object in `ctx`. */
export function ruleIssue(complaint: string, input: unknown, at: Cursor): unknown {
  return at.reject('value_error', `Value error, ${complaint}`, input, { error: {} });
}

function checkString(value: unknown, at: Cursor): unknown {
  if (typeof value === 'string') return value;
  return at.reject('string_type', 'Input should be a valid string', value);
}

function checkRule(rule: TextRule, text: string, input: string, at: Cursor): unknown {
  const complaint = rule(text);
  return complaint === null ? text : ruleIssue(complaint, input, at);
}

function characters(count: number): string {
  return count === 1 ? 'character' : 'characters';
}
