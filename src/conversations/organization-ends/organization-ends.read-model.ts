import { Statement } from '../../kernel/database';

/* By hand because organizations and jobs are not ours to map. */

/** Whether agent servers that others share have forgotten the conversations of an organization ($1), or have had a day for it. */
export const SERVERS_TOLD = new Statement<{ readonly done: boolean }>(
  `SELECT organization_told(id) OR ending_at < now() - interval '1 day' AS done FROM organizations WHERE id = $1`,
);

/** Who asked for the end of an organization ($1): the user, if their account stays, and whether it was one, or an operator. */
export const ENDED_BY = new Statement<{ readonly user_id: string | null; readonly is_user: boolean }>(
  `SELECT u.id AS user_id, o.ending_by_user_id IS NOT NULL AS is_user
     FROM organizations o
     LEFT JOIN users u ON u.id = o.ending_by_user_id AND u.confined_to_org_id IS DISTINCT FROM o.id
    WHERE o.id = $1`,
);

/** Organizations that are being deleted by no job. */
export const IDLE_ENDS = new Statement<{ readonly id: string }>(
  `SELECT o.id FROM organizations o
    WHERE o.ending_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j
                       WHERE j.key = 'organization-end:' || o.id AND j.attempts < j.max_attempts)`,
);
