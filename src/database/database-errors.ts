import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';
const OUT_OF_RANGE = new Set(['22003', '22008']);

/** SQLSTATE classes that say "the database is away", not "the query is wrong". */
const AWAY = ['08', '53', '57P'];
const AWAY_ERRNO = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'ENOENT']);
/** What the driver says when it waited for an answer as long as `query_timeout`. */
const SILENCE = 'Query read timeout';
const AWAY_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered',
  SILENCE,
];

/** Of these, the ones that may come after a statement was sent. */
const LOST = ['08', '57P'];
const LOST_ERRNO = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const LOST_MESSAGES = ['Connection terminated', SILENCE];

function codeOf(error: unknown): string {
  const source = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (typeof source === 'object' && source !== null && 'code' in source && typeof source.code === 'string')
    return source.code;
  return '';
}

/** True when the row would have broken a unique constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  if (constraint === undefined) return true;
  const source = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  return (
    typeof source === 'object' &&
    source !== null &&
    'constraint' in source &&
    source.constraint === constraint
  );
}

/** True when a number or a date does not fit the column. */
export function isOutOfRange(error: unknown): boolean {
  return OUT_OF_RANGE.has(codeOf(error));
}

/** True when the database did not answer in time; the statement is still on its connection. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === SILENCE;
}

/**
 * True when the connection was lost while a statement was on its way: whether it was carried out, a commit
 * included, is not known. Not so when no connection was there in the first place.
 */
export function mayHaveCommitted(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST_ERRNO.has(code) || LOST.some((prefix) => code.startsWith(prefix))) return true;
  return error instanceof Error && LOST_MESSAGES.some((text) => error.message.includes(text));
}

/** True when the database could not be reached or is shutting down; the same call may work later. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  if (AWAY_ERRNO.has(code) || AWAY.some((prefix) => code.startsWith(prefix))) return true;
  return error instanceof Error && AWAY_MESSAGES.some((text) => error.message.includes(text));
}
