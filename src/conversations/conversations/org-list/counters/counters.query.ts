import { Statement } from '../../../../kernel/database';

/*
 * By hand because the counters are kept by functions and triggers of the database
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */

/** Adds at most so many recorded changes ($1) to the counters of conversations. */
export const FOLD_CONVERSATION_COUNTS = new Statement<{ readonly folded: number }>(
  'SELECT conversation_counts_fold($1) AS folded',
);

/** Adds at most so many recorded changes ($1) to the counters of conversations that have ended. */
export const FOLD_COMPLETED_COUNTS = new Statement<{ readonly folded: number }>(
  'SELECT conversation_completed_fold($1) AS folded',
);

/** Adds all recorded changes to the counters of sandboxes. */
export const FOLD_SANDBOX_COUNTS = new Statement('SELECT sandbox_counts_fold()');

/** Takes at most so many recorded changes ($1) of what conversations show of their sandboxes into its counters. */
export const FOLD_SANDBOX_STATUSES = new Statement<{ readonly folded: number }>(
  'SELECT conversation_sandbox_fold($1) AS folded',
);

/** Has what all conversations show of their sandboxes counted anew, by folds. */
export const REBUILD_SANDBOX_STATUSES = new Statement('SELECT conversation_sandbox_rebuild()');

/** Recounts all conversations. */
export const REBUILD_CONVERSATION_COUNTS = new Statement<{ readonly total: number }>(
  'SELECT conversation_counts_rebuild()::integer AS total',
);

/** Recounts all conversations that have ended lately. */
export const REBUILD_COMPLETED_COUNTS = new Statement('SELECT conversation_completed_rebuild()');

/** Recounts all sandboxes. */
export const REBUILD_SANDBOX_COUNTS = new Statement('SELECT sandbox_counts_rebuild()');

/** Keeps folds and other rebuilds away until {@link UNLOCK_COUNTS}, or the end of the connection. */
export const LOCK_COUNTS = new Statement('SELECT pg_advisory_lock($1)');

export const UNLOCK_COUNTS = new Statement('SELECT pg_advisory_unlock($1)');
