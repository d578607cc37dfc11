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
export function readUnixTime(value: string | number): Date | string | null {
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
