import { queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import { INVITATION_COLUMNS, type InvitationRow } from '../record/invitation-record';

/** By hand: invitation and inviter in one statement, and expiry by the database's clock. */
const SELECT_INVITATIONS = `SELECT ${INVITATION_COLUMNS}
                              FROM invitations i JOIN users u ON u.id = i.inviter_user_id`;

/**
 * The invitations of an organization that can be accepted now, newest first.
 * @param from id of the first one of the page; null for the newest
 */
export function selectPending(
  database: SqlRunner,
  orgId: string,
  from: number | null,
  limit: number,
): Promise<InvitationRow[]> {
  return queryRows(
    database,
    `${SELECT_INVITATIONS}
      WHERE i.org_id = $1 AND i.status = 'pending' AND i.expires_at > clock_timestamp()
        AND ($2::int IS NULL OR i.id <= $2)
      ORDER BY i.id DESC LIMIT $3`,
    [orgId, from, limit],
  );
}

/** An invitation of an organization, whatever its state. */
export function selectInvitation(
  database: SqlRunner,
  orgId: string,
  id: number,
): Promise<InvitationRow | null> {
  return queryRow(database, `${SELECT_INVITATIONS} WHERE i.org_id = $1 AND i.id = $2`, [orgId, id]);
}
