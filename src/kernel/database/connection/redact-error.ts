import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** SQLSTATE class 42, errors in the text of a statement. The text holds no values: those are parameters. */
const STATEMENT_ERRORS = '42';

/** The parts of a statement's error that may be logged. */
interface RedactedDatabaseError {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly routine?: string;
}

/**
 * Reduces an error of the database to what may be logged: where it comes from, never what users wrote. PostgreSQL
 * quotes values in its messages and details, so everything in quotes is removed.
 * @returns null for any other error
 */
export function redactDatabaseError(error: Error): RedactedDatabaseError | null {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(source instanceof DatabaseError)) return null;
  const { code, constraint, table, column, routine } = source;
  return {
    message: code?.startsWith(STATEMENT_ERRORS) === true ? source.message : withoutQuoted(source.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    ...(column !== undefined && { column }),
    ...(routine !== undefined && { routine }),
  };
}

/** A quoted value may itself contain quotes and newlines: everything from the first quote to the last is removed. */
function withoutQuoted(message: string): string {
  return message.replace(/"[^]*"/, '"…"');
}
