import { type SqlRunner } from '../../database';
/**
 * Deletes some of the invitations that were over long ago. By hand: `DELETE` has no limit of its own.
 * @param limit so few that the statement ends well before its time limit
 * @returns how many were deleted
 */
export declare function deleteOldInvitations(database: SqlRunner, limit: number): Promise<number>;
