import { INVALID, type Cursor } from '../errors/cursor';
import { ExactNumber } from '../json/exact-values';

const UNIX_TIME = /^[+-]?(\d+)(?:\.\d*)?$/;
const LONGEST_INTEGER = 2n ** 63n - 1n;
/** Beyond this many seconds a unix time is one of milliseconds. */
const SECONDS_LIMIT = 2e10;
const MILLISECONDS_LIMIT = SECONDS_LIMIT * 1000;
const YEAR_0 = -62_167_219_200_000;
const YEAR_1 = -62_135_596_800_000;
const LAST_OF_9999 = 253_402_300_799_999;

/**
 * Reads a unix time, in seconds or, where those would be too many, milliseconds.
 * @returns the date, a complaint about an invalid number, or null for a text that is not a number
 */
function readUnixTime(value: string | number): Date | string | null {
  if (typeof value === 'string') {
    const parts = UNIX_TIME.exec(value);
    if (!parts?.[1] || isTooLong(parts[1])) return null;
  }
  const number = Number(value);
  if (Number.isNaN(number)) return 'NaN values not permitted';
  const exact =
    Math.abs(number) <= SECONDS_LIMIT ? number * 1000 : isMicroseconds(value) ? number / 1000 : number;
  if (exact > LAST_OF_9999) return 'dates after 9999 are not supported as unix timestamps';
  const milliseconds = Math.floor(exact);
  if (milliseconds < YEAR_0) return 'dates before 0000 are not supported as unix timestamps';
  if (milliseconds < YEAR_1) return 'year 0 is out of range';
  return new Date(milliseconds);
}

/** A text with a fraction is judged a second time: too many milliseconds are microseconds. */
function isMicroseconds(value: string | number): boolean {
  return typeof value === 'string' && value.includes('.') && Math.abs(Number(value)) > MILLISECONDS_LIMIT;
}

function isTooLong(digits: string): boolean {
  return digits.length >= 19 && BigInt(digits) > LONGEST_INTEGER;
}

const TIME = '[Tt _](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?(?:[Zz]|([+\\-\u2212])(\\d\\d):?(\\d\\d))?';
const DATE_TIME = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:${TIME})?$`);

/** Checks a `dateTime()`; without an offset a text means UTC. */
export function checkDateTime(value: unknown, at: Cursor): unknown {
  if (typeof value === 'string') return readText(value, at);
  const isHuge = value instanceof ExactNumber && value.isInteger && !Number.isFinite(value.value);
  if (typeof value === 'number' || (value instanceof ExactNumber && !isHuge)) {
    const time = readUnixTime(typeof value === 'number' ? value : value.value);
    return typeof time === 'string' ? parsingIssue(time, value, at) : time;
  }
  return at.reject('datetime_type', 'Input should be a valid datetime', value);
}

function readText(text: string, at: Cursor): Date | typeof INVALID {
  const parts = DATE_TIME.exec(text);
  const date = parts ? dateOf(parts) : null;
  if (date) return parts?.[1] === '0000' ? parsingIssue('year 0 is out of range', text, at) : date;
  const time = readUnixTime(text);
  if (time instanceof Date) return time;
  if (time === 'year 0 is out of range') return parsingIssue(time, text, at);
  const error = time ?? reasonNotDate(text);
  const msg = `Input should be a valid datetime or date, ${error}`;
  return at.reject('datetime_from_date_parsing', msg, text, { error });
}

function parsingIssue(error: string, input: unknown, at: Cursor): typeof INVALID {
  return at.reject('datetime_parsing', `Input should be a valid datetime, ${error}`, input, { error });
}

/** @returns null when a part of it is out of range: a month 13, an hour 24 */
function dateOf(parts: RegExpExecArray): Date | null {
  const part = (index: number): number => Number(parts[index] ?? '0');
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(9), part(10)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || offsetHours > 23) return null;
  if (minute > 59 || second > 59 || offsetMinutes > 59) return null;
  const offset = (offsetHours * 60 + offsetMinutes) * (parts[8] === '+' ? 1 : -1);
  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  // Date.UTC takes the years 0 to 99 for those of the 20th century.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, milliseconds);
  return date;
}

/** What is wrong with a text that is neither a date with a time nor a number: it is judged as a date. */
function reasonNotDate(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  if (bytes.length < 10) return 'input is too short';
  if (!/^\d{4}/.test(bytes)) return 'invalid character in year';
  if (bytes[4] !== '-') return 'invalid date separator, expected `-`';
  if (!/^\d\d/.test(bytes.slice(5))) return 'invalid character in month';
  if (bytes[7] !== '-') return 'invalid date separator, expected `-`';
  if (!/^\d\d/.test(bytes.slice(8))) return 'invalid character in day';
  const [year, month, day] = [bytes.slice(0, 4), bytes.slice(5, 7), bytes.slice(8, 10)].map(Number);
  if (!month || month > 12) return 'month value is outside expected range of 1-12';
  if (!day || day > daysIn(year ?? 0, month)) return 'day value is outside expected range';
  return 'unexpected extra characters at the end of the input';
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
