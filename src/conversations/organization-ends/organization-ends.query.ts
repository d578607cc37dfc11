import { Statement } from '../../kernel/database';

/*
 * By hand because the end of an organization is about every table: functions of the database and its foreign keys remove the
 * rows (docs/decisions/0067-end-of-an-organization.md).
 */

/** Removes some of the rows of an organization ($1), at most so many of each kind ($2); false when there may be more. */
export const EMPTY_ORGANIZATION = new Statement<{ readonly done: boolean }>(
  'SELECT organization_emptied($1, $2) AS done',
);

/** Removes the row of an organization ($1) and all that is left of it; false when it is gone, or has sandboxes. */
export const REMOVE_ORGANIZATION = new Statement<{ readonly done: boolean }>(
  'SELECT organization_removed($1) AS done',
);

/** Removes what was written about an organization ($1) while its row went. */
export const FORGET_ORGANIZATION = new Statement('SELECT organization_forgotten($1)');

/** For the rest of the transaction: what foreign keys lead to may take longer than a request may. */
export const PATIENTLY = new Statement(`SELECT set_config('statement_timeout', '0', true)`);
