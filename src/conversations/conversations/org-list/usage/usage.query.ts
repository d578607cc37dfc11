import { Statement } from '../../../../kernel/database';

/**
 * Adds at most so many recorded deltas ($1) to the usage by day, each day and dimension with so many values ($2), of which
 * one user brings so many ($3). By hand because a function of the database does it (docs/decisions/0052-usage-by-day.md).
 */
export const FOLD_USAGE = new Statement<{ readonly folded: number }>(
  'SELECT usage_fold($1, $2, $3) AS folded',
);
