import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { Invitation } from '../record/invitation.entity';

/** An invitation with what it depends on: organization, inviter, and who has the invited address. */
export type InvitationContextRow = ColumnsOf<
  Invitation,
  'id' | 'generation' | 'orgId' | 'inviterUserId' | 'email' | 'role' | 'status' | 'expiresAt'
> & {
  readonly expired: boolean;
  readonly org_name: string;
  readonly inviter_name: string | null;
  readonly inviter_email: string;
  /** The invited address belongs to a member. */
  readonly is_member: boolean;
};

/** The invitation of a token. By hand: one statement sees everything as of the same time. */
export function selectInvitationContext(
  database: SqlRunner,
  tokenDigest: string,
): Promise<InvitationContextRow | null> {
  return queryRow(
    database,
    `SELECT i.id, i.generation, i.org_id, o.name AS org_name, i.email, i.role, i.status, i.expires_at,
            i.expires_at <= clock_timestamp() AS expired, u.name AS inviter_name, u.email AS inviter_email,
            i.inviter_user_id,
            EXISTS (SELECT FROM users p JOIN org_members q ON q.user_id = p.id
                     WHERE q.org_id = i.org_id AND p.email = i.email) AS is_member
       FROM invitations i
       JOIN organizations o ON o.id = i.org_id
       JOIN users u ON u.id = i.inviter_user_id
      WHERE i.token_digest = $1`,
    [tokenDigest],
  );
}
