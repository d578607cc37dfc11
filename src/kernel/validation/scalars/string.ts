import type { Check, Cursor } from '../errors/cursor';
import type { TextRule, TypeShape } from '../declaration/field-types';
import { lengthOf, quotedChoice, trimSpace } from './text';

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
      return at.fault('string_too_short', msg, value, { min_length: minLength });
    }
    if (maxLength !== undefined && length > maxLength) {
      const msg = `String should have at most ${maxLength} ${characters(maxLength)}`;
      return at.fault('string_too_long', msg, value, { max_length: maxLength });
    }
    return rule ? checkRule(rule, text, value, at) : text;
  };
}

/** Makes the check of a `oneOf(...)` or a `literal(...)`: exactly these texts, no trimming, no case folding. */
export function choiceCheck(type: 'enum' | 'literal_error', values: readonly string[]): Check {
  const allowed: ReadonlySet<unknown> = new Set(values);
  const expected = quotedChoice(values);
  return (value, at) =>
    allowed.has(value) ? value : at.fault(type, `Input should be ${expected}`, value, { expected });
}

/** Reports the complaint of a custom rule; clients expect the empty object in `ctx`. */
export function ruleFault(complaint: string, input: unknown, at: Cursor): unknown {
  return at.fault('value_error', `Value error, ${complaint}`, input, { error: {} });
}

function checkString(value: unknown, at: Cursor): unknown {
  if (typeof value === 'string') return value;
  return at.fault('string_type', 'Input should be a valid string', value);
}

function checkRule(rule: TextRule, text: string, input: string, at: Cursor): unknown {
  const complaint = rule(text);
  return complaint === null ? text : ruleFault(complaint, input, at);
}

function characters(count: number): string {
  return count === 1 ? 'character' : 'characters';
}
