import type { Check, Cursor } from '../errors/cursor';
import { INVALID } from '../errors/cursor';
import type { Bounds } from '../declaration/field-types';
import { ExactNumber } from '../json/exact-values';
import { MAX_INTEGER_DIGITS } from '../json/read-exact';
import { trimSpace } from './string';

const PLAIN_INTEGER = /^[0-9]{1,15}$/;
/** Digits with single underscores between them; zeros in front may be followed by any number of them. */
const DIGITS = '(?:0(?:[0_]*0)?|(?:0[0_]*)?[1-9][0-9]*(?:_[0-9]+)*)';
const INTEGER = new RegExp(`^[+-]?${DIGITS}$`);
/** A minus after leading zeros is accepted by the modelled framework too: `0-1` is -1. */
const ZEROS_BEFORE_MINUS = /^\+?0[0_]*(-)_?(0|[1-9][0-9]*(?:_[0-9]+)*)$/;
/** Distinguished from other texts only at the start of the text. */
const TOO_MANY_DIGITS = new RegExp(`^-?[1-9][0-9]{${MAX_INTEGER_DIGITS}}`);
const NUMBER = /^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity|nan)$/i;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Makes the check of an `integer()`. */
export function integerCheck(bounds: Bounds): Check {
  const checkBounds = boundsCheck(bounds, (bound) => bound);
  return (value, at) => {
    const integer = readInteger(value, at);
    return integer === INVALID ? INVALID : checkBounds(integer, value, at);
  };
}

/** Makes the check of a `number()`. */
export function numberCheck(bounds: Bounds): Check {
  // Bounds of a number are reported as floats: 0 as 0.0.
  const checkBounds = boundsCheck(bounds, (bound) =>
    Number.isInteger(bound) ? new ExactNumber(`${bound}.0`) : bound,
  );
  return (value, at) => {
    const number = readNumber(value, at);
    if (number === INVALID) return INVALID;
    const bounded = checkBounds(number, value, at);
    return bounded !== INVALID && !Number.isFinite(number) ? notFinite(value, at) : bounded;
  };
}

/** Whether a number, as it was written, is an integer that fits into 64 bits. */
export function isInt64(value: number | ExactNumber): boolean {
  if (value instanceof ExactNumber && value.isInteger) {
    if (value.text.length > 20) return false;
    const integer = BigInt(value.text);
    return integer >= INT64_MIN && integer <= INT64_MAX;
  }
  const plain = typeof value === 'number' ? value : value.value;
  return Number.isInteger(plain) && Math.abs(plain) < 2 ** 63;
}

function readInteger(value: unknown, at: Cursor): number | typeof INVALID {
  if (typeof value === 'string') return readIntegerText(value, at);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || value instanceof ExactNumber) return wholeNumber(value, at);
  return at.reject('int_type', 'Input should be a valid integer', value);
}

function wholeNumber(value: number | ExactNumber, at: Cursor): number | typeof INVALID {
  const plain = typeof value === 'number' ? value : value.value;
  if (Number.isSafeInteger(plain) || (value instanceof ExactNumber && value.isInteger)) return plain + 0;
  if (!Number.isFinite(plain)) return notFinite(value, at);
  if (!Number.isInteger(plain)) {
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    return at.reject('int_from_float', msg, value);
  }
  return isInt64(value) ? plain : tooLarge(value, at);
}

function readIntegerText(text: string, at: Cursor): number | typeof INVALID {
  if (PLAIN_INTEGER.test(text)) return Number(text);
  if (text.length > MAX_INTEGER_DIGITS && TOO_MANY_DIGITS.test(text)) return tooLarge(text, at);
  const trimmed = trimSpace(text).replace(/\.0+$/, '');
  const zerosBeforeMinus = ZEROS_BEFORE_MINUS.exec(trimmed);
  if (!zerosBeforeMinus && !INTEGER.test(trimmed)) return noInteger(text, at);
  const written = zerosBeforeMinus ? `-${zerosBeforeMinus[2] ?? ''}` : trimmed;
  const digits = written.replaceAll('_', '').replace(/^\+/, '');
  const significant = digits.replace(/^(-?)0+(?=[0-9])/, '$1');
  if (significant.replace('-', '').length > MAX_INTEGER_DIGITS) return noInteger(text, at);
  return Number(significant) + 0;
}

function noInteger(text: string, at: Cursor): typeof INVALID {
  const msg = 'Input should be a valid integer, unable to parse string as an integer';
  return at.reject('int_parsing', msg, text);
}

function tooLarge(value: unknown, at: Cursor): typeof INVALID {
  const msg = 'Unable to parse input string as an integer, exceeded maximum size';
  return at.reject('int_parsing_size', msg, value);
}

function readNumber(value: unknown, at: Cursor): number | typeof INVALID {
  // PostgreSQL's numeric types have no negative zero.
  if (typeof value === 'number') return value + 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof ExactNumber && (Number.isFinite(value.value) || !value.isInteger)) {
    return value.value + 0;
  }
  if (typeof value !== 'string') return at.reject('float_type', 'Input should be a valid number', value);
  const text = numberText(value);
  if (text === undefined) {
    const msg = 'Input should be a valid number, unable to parse string as a number';
    return at.reject('float_parsing', msg, value);
  }
  const word = /^([+-]?)(inf|nan)/i.exec(text);
  if (!word) return Number(text);
  return word[2]?.toLowerCase() === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity;
}

/** The text of a number without what surrounds or parts it, or undefined when it is none. */
function numberText(text: string): string | undefined {
  const trimmed = trimSpace(text);
  if (NUMBER.test(trimmed)) return trimmed;
  if (!text.includes('_') || /^_|_$|__/.test(text)) return undefined;
  const joined = text.replaceAll('_', '');
  return NUMBER.test(joined) ? joined : undefined;
}

/** Infinity and NaN have no form in JSON or in the database: they are refused everywhere. */
function notFinite(value: unknown, at: Cursor): typeof INVALID {
  return at.reject('finite_number', 'Input should be a finite number', value);
}

type BoundsCheck = (number: number, input: unknown, at: Cursor) => unknown;

function boundsCheck(bounds: Bounds, reported: (bound: number) => unknown): BoundsCheck {
  const { gt, ge, lt, le } = bounds;
  return (number, input, at) => {
    if (gt !== undefined && !(number > gt)) {
      return at.reject('greater_than', `Input should be greater than ${gt}`, input, { gt: reported(gt) });
    }
    if (ge !== undefined && !(number >= ge)) {
      const msg = `Input should be greater than or equal to ${ge}`;
      return at.reject('greater_than_equal', msg, input, { ge: reported(ge) });
    }
    if (lt !== undefined && !(number < lt)) {
      return at.reject('less_than', `Input should be less than ${lt}`, input, { lt: reported(lt) });
    }
    if (le !== undefined && !(number <= le)) {
      const msg = `Input should be less than or equal to ${le}`;
      return at.reject('less_than_equal', msg, input, { le: reported(le) });
    }
    return number;
  };
}
