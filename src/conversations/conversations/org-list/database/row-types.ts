import { types } from 'pg';

/** Numbers of types in every PostgreSQL. */
const INT8 = 20;
const INT8_LIST = 1016;
const TIMESTAMPTZ = 1184;

type ReadText = (text: string) => unknown;

const driverParser: (type: number) => ReadText = types.getTypeParser;

/**
 * Reads what a query of the list answers: times straight into the text that is answered and counts as numbers,
 * which the driver makes dates and texts of.
 */
export const ROW_TYPES = {
  getTypeParser(type: number): ReadText {
    if (type === TIMESTAMPTZ) return isoTime;
    if (type === INT8) return Number;
    if (type === INT8_LIST) return numbers;
    return driverParser(type);
  },
};

/** `2026-11-21 08:06:53.9+00`, as the database writes times in UTC. */
const DATABASE_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/;

/**
 * A time of the database, with milliseconds as `Date` has them. One that is not in UTC goes through a `Date`: a
 * pooler or the address of the database can keep the connection's own settings from the server.
 */
export function isoTime(text: string): string {
  const [, day, time, fraction = ''] = DATABASE_TIME.exec(text) ?? [];
  if (day !== undefined && time !== undefined) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  const parsed = driverParser(TIMESTAMPTZ)(text);
  if (!(parsed instanceof Date)) throw new Error('The database wrote a time in another form.');
  return parsed.toISOString();
}

function numbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}
