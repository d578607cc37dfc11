import { Statement } from '../../kernel/database';

/*
 * By hand because the end of an organization is about every table: functions of the database and its foreign keys remove the
 * rows (docs/decisions/0067-end-of-an-organization.md).
 */

/** Removes some of the rows of an organization ($1), at most so many of each kind ($2); false when there may be more. */
export const EMPTY_ORGANIZATION = new Statement<{ readonly done: boolean }>(
  'SELECT organization_emptied($1, $2) AS done',
);

/** Whether agent servers that others share have forgotten the conversations of an organization ($1), or have had a day for it. */
export const SERVERS_TOLD = new Statement<{ readonly done: boolean }>(
  `SELECT organization_told(id) OR ending_at < now() - interval '1 day' AS done FROM organizations WHERE id = $1`,
);

/** Removes the row of an organization ($1) and all that is left of it; false when it is gone, or has sandboxes. */
export const REMOVE_ORGANIZATION = new Statement<{ readonly done: boolean; readonly by: string | null }>(
  `WITH asked AS MATERIALIZED (
     SELECT u.id FROM organizations o JOIN users u ON u.id = o.ending_by_user_id
      WHERE o.id = $1 AND u.confined_to_org_id IS DISTINCT FROM o.id
   )
   SELECT organization_removed($1) AS done, (SELECT id FROM asked) AS by`,
);

/** Removes what was written about an organization ($1) while its row went. */
export const FORGET_ORGANIZATION = new Statement('SELECT organization_forgotten($1)');

/** Organizations that are being deleted by no job. */
export const IDLE_ENDS = new Statement<{ readonly id: string }>(
  `SELECT o.id FROM organizations o
    WHERE o.ending_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j
                       WHERE j.key = 'organization-end:' || o.id AND j.attempts < j.max_attempts)`,
);

/** For the rest of the transaction: what foreign keys lead to may take longer than a request may. */
export const PATIENTLY = new Statement(`SELECT set_config('statement_timeout', '0', true)`);
