/** True when the row would have broken a unique constraint. */
export declare function isUniqueViolation(error: unknown, constraint?: string): boolean;
/** True when a number or a date does not fit the column. */
export declare function isOutOfRange(error: unknown): boolean;
/** True when the server or the session is read-only: a standby after a failover, or configured so. */
export declare function isDatabaseReadOnly(error: unknown): boolean;
/** True when the disk of the database is full. */
export declare function isDiskFull(error: unknown): boolean;
/** True when the database did not respond in time; the statement may still be running on its connection. */
export declare function isQueryTimeout(error: unknown): boolean;
/**
 * True when the connection was lost after a statement may have been sent, so that it (or a commit) may have been
 * executed. False when there was no connection in the first place.
 */
export declare function mayHaveCommitted(error: unknown): boolean;
/**
 * True when the database cannot be reached, is shutting down or failing over, or is read-only; the same call may
 * work later. False for a statement that exceeded its own time limit: it would do so again.
 */
export declare function isDatabaseUnavailable(error: unknown): boolean;
/** The detail of the 503 for an error that {@link isDatabaseUnavailable}. */
export declare function unavailableDetail(error: unknown): string;
