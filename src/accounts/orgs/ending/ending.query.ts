import { Statement } from '../../../kernel/database';

/*
 * By hand because the end of an organization is about every table: functions of the database and its foreign keys remove the
 * rows (docs/decisions/0067-end-of-an-organization.md).
 */

/** Waits for all who add rows to an organization ($1), and keeps others from it until the transaction ends. */
export const LOCK_ORGANIZATION = new Statement<{ readonly name: string; readonly ending_at: Date | null }>(
  'SELECT name, ending_at FROM organizations WHERE id = $1 FOR UPDATE',
);

/** Takes from an organization ($1) whatever lets anybody in, since somebody ($2) asked for its end. */
export const SHUT_ORGANIZATION = new Statement<{ readonly at: Date }>(
  'SELECT organization_shut($1, $2) AS at',
);
