import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const OUT_OF_RANGE = new Set(['22003', '22008']);

/** SQLSTATE classes that mean "the database is unavailable", not "the query is wrong". */
const UNAVAILABLE = ['08', '53', '57P'];
/** The server ended the session because this process was held up within a transaction. */
const IDLE_IN_TRANSACTION = '25P03';
const READ_ONLY = '25006';
/** The transaction was rolled back for the sake of others: a serialization failure, a deadlock. */
const ROLLED_BACK = new Set(['40001', '40P01']);
const QUERY_CANCELED = '57014';
const DISK_FULL = '53100';
/** In the message when our own `statement_timeout` canceled a statement. */
const STATEMENT_TIMEOUT = 'due to statement timeout';
/** A connection broke between two statements of a transaction; TypeORM says no more than that it is gone, as it does to whoever uses a transaction after its end. */
const LOST_IN_TRANSACTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];
const UNAVAILABLE_ERRNO = new Set([
  'EAGAIN', // of a Unix socket at which as many connections wait as the server allows
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'ENOENT',
]);
/** The driver's message after `query_timeout` without a response. */
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered',
  QUERY_TIMEOUT_MESSAGE,
];

/** Of these, the ones that may come after a statement was sent. */
const LOST = ['08', '57P'];
const LOST_ERRNO = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const LOST_MESSAGES = ['Connection terminated', QUERY_TIMEOUT_MESSAGE];

function codeOf(error: unknown): string {
  const source = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (typeof source === 'object' && source !== null && 'code' in source && typeof source.code === 'string')
    return source.code;
  return '';
}

/** True when the row would have broken a unique constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    codeOf(error) === UNIQUE_VIOLATION && (constraint === undefined || constraintOf(error) === constraint)
  );
}

/** True when the row would have belonged to what is gone: it was deleted while the request was under way. */
export function isReferenceGone(error: unknown): boolean {
  return codeOf(error) === FOREIGN_KEY_VIOLATION;
}

/** True when that is a user, whose account was deleted. */
export function isUserGone(error: unknown): boolean {
  return isReferenceGone(error) && constraintOf(error).endsWith('_user_id_fkey');
}

/** True when that is an organization, which was deleted, or is being deleted. */
export function isOrganizationGone(error: unknown): boolean {
  return isReferenceGone(error) && constraintOf(error).endsWith('_org_id_fkey');
}

function constraintOf(error: unknown): string {
  const source = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  const isNamed = typeof source === 'object' && source !== null && 'constraint' in source;
  return isNamed && typeof source.constraint === 'string' ? source.constraint : '';
}

/** True when a number or a date does not fit the column. */
export function isOutOfRange(error: unknown): boolean {
  return OUT_OF_RANGE.has(codeOf(error));
}

/** True when the server or the session is read-only: a standby after a failover, or configured so. */
export function isDatabaseReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY;
}

/** True when the disk of the database is full. */
function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

/** True when the database did not respond in time; the statement may still be running on its connection. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === QUERY_TIMEOUT_MESSAGE;
}

/**
 * True when the connection was lost after a statement may have been sent, so that it (or a commit) may have been
 * executed. False when there was no connection in the first place.
 */
export function mayHaveCommitted(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST_ERRNO.has(code) || LOST.some((prefix) => code.startsWith(prefix))) return true;
  return error instanceof Error && LOST_MESSAGES.some((text) => error.message.includes(text));
}

/**
 * True when the database cannot be reached, is shutting down or failing over, or is read-only; the same call may
 * work later. False for a statement that exceeded its own time limit: it would do so again.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (UNAVAILABLE_ERRNO.has(code) || UNAVAILABLE.some((prefix) => code.startsWith(prefix))) return true;
  if (code === READ_ONLY || code === IDLE_IN_TRANSACTION || ROLLED_BACK.has(code)) return true;
  if (!(error instanceof Error)) return false;
  if (LOST_IN_TRANSACTION.some((type) => error instanceof type)) return true;
  if (code === QUERY_CANCELED) return !error.message.includes(STATEMENT_TIMEOUT);
  return UNAVAILABLE_MESSAGES.some((text) => error.message.includes(text));
}

/** Whether a transaction was undone for the sake of others that ran at the same time; it works when it is repeated. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.has(codeOf(error));
}

/** The detail of the 503 for an error that {@link isDatabaseUnavailable}. */
export function unavailableDetail(error: unknown): string {
  if (isDiskFull(error)) return 'The disk of the database is full.';
  if (isDatabaseReadOnly(error)) return 'The database is read-only at the moment; try again shortly.';
  return 'The database cannot be reached at the moment; try again shortly.';
}
