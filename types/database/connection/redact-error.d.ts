/** The parts of a statement's error that may be logged. */
export interface RedactedDatabaseError {
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
export declare function redactDatabaseError(error: Error): RedactedDatabaseError | null;
