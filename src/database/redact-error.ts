import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** The class of faults of a statement's text, which holds no values: they are parameters (SQLSTATE 42). */
const FAULTS_OF_STATEMENTS = '42';

/** What may be told to the log of a statement that failed. */
export interface RedactedDatabaseError {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly routine?: string;
}

/**
 * What the log may have of an error of the database: where it comes from, never what people wrote. PostgreSQL
 * quotes values in its messages and details, so what is quoted is cut.
 * @returns null for any other error
 */
export function redactDatabaseError(error: Error): RedactedDatabaseError | null {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(source instanceof DatabaseError)) return null;
  const { code, constraint, table, column, routine } = source;
  return {
    message: code?.startsWith(FAULTS_OF_STATEMENTS) === true ? source.message : withoutQuoted(source.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    ...(column !== undefined && { column }),
    ...(routine !== undefined && { routine }),
  };
}

/** A quoted value may have quotes and lines in it: all between the first quote and the last goes. */
function withoutQuoted(message: string): string {
  return message.replace(/"[^]*"/, '"…"');
}
