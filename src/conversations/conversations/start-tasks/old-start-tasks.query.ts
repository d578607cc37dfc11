import { Statement } from '../../../kernel/database';

/*
 * By hand because old ones are deleted in portions, and added up by organization.
 */

const IS_OVER = `status IN ('READY', 'ERROR')`;

/** Deletes start tasks that ended longer ago than an interval ($1) and are not held, the oldest first, at most $2. */
export const DELETE_OLD_STARTS = new Statement<{ readonly id: string }>(
  `DELETE FROM start_tasks WHERE id IN (
     SELECT id FROM start_tasks WHERE ${IS_OVER} AND updated_at < now() - $1::interval AND NOT is_held(conversation_id)
      ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** Deletes those whose organization has more bytes ($1) of later ones that ended, at most $2. */
export const DELETE_STARTS_BEYOND = new Statement<{ readonly id: string }>(
  `DELETE FROM start_tasks WHERE id IN (
     SELECT id FROM (
       SELECT id, sum(request_bytes) OVER (PARTITION BY org_id ORDER BY updated_at DESC, id) AS bytes
         FROM start_tasks WHERE ${IS_OVER} AND NOT is_held(conversation_id)) t
      WHERE bytes > $1 LIMIT $2)
   RETURNING id`,
);
