import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { Invitation } from '../record/invitation.entity';

/** An invitation whose email is still to be sent, with what the email says. */
export type UnsentInvitationRow = ColumnsOf<
  Invitation,
  'id' | 'generation' | 'email' | 'role' | 'expiresAt' | 'tokenDigest'
> & {
  readonly org_name: string;
  readonly inviter_email: string;
  readonly inviter_name: string | null;
};

/**
 * By hand: invitation, organization and inviter in one statement for each email, and expiry by the database's
 * clock.
 * @returns null when there is nothing to send any more: sent, replaced, accepted, revoked, expired or gone
 */
export function selectUnsentInvitation(
  database: SqlRunner,
  { id, generation }: Pick<Invitation, 'id' | 'generation'>,
): Promise<UnsentInvitationRow | null> {
  return queryRow(
    database,
    `SELECT i.id, i.generation, i.email, i.role, i.expires_at, i.token_digest, o.name AS org_name,
            u.email AS inviter_email, u.name AS inviter_name
       FROM invitations i JOIN organizations o ON o.id = i.org_id JOIN users u ON u.id = i.inviter_user_id
      WHERE i.id = $1 AND i.generation = $2 AND i.mail_status = 'queued' AND i.status = 'pending'
        AND i.expires_at > clock_timestamp()`,
    [id, generation],
  );
}
