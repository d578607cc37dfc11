import { execute, type SqlRunner } from '../../../kernel/database';

/** How long an invitation is kept after it expires, whatever its status, as SQL. */
const HISTORY = `interval '90 days'`;

/**
 * Deletes some of the invitations that were over long ago. By hand: `DELETE` has no limit of its own.
 * @param limit so few that the statement ends well before its time limit
 * @returns how many were deleted
 */
export function deleteOldInvitations(database: SqlRunner, limit: number): Promise<number> {
  return execute(
    database,
    `DELETE FROM invitations WHERE id IN
       (SELECT id FROM invitations WHERE expires_at < now() - ${HISTORY} LIMIT $1)`,
    [limit],
  );
}
