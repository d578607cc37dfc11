import type { Role } from '../../../kernel/auth';
import type { ColumnsOf } from '../../../kernel/database';
import type { InvitationResponse } from './invite.dto';
import type { Invitation } from './invitation.entity';

/** An invitation as the queries of this module read it. */
export type InvitationRow = ColumnsOf<
  Invitation,
  | 'id'
  | 'email'
  | 'role'
  | 'status'
  | 'generation'
  | 'tokenDigest'
  | 'createdAt'
  | 'expiresAt'
  | 'mailStatus'
  | 'mailDetail'
> & { readonly expired: boolean; readonly inviter_email: string };

/** The columns of {@link InvitationRow}, of `invitations i` joined with its inviter as `u`. */
export const INVITATION_COLUMNS = `i.id, i.email, i.role, i.status, i.generation, i.token_digest, i.created_at,
  i.expires_at, i.expires_at <= clock_timestamp() AS expired, u.email AS inviter_email, i.mail_status, i.mail_detail`;

/** The status of an invitation as of now: a pending one expires by itself. */
export function statusOf(row: Pick<InvitationRow, 'status' | 'expired'>): InvitationResponse['status'] {
  return row.status === 'pending' && row.expired ? 'expired' : row.status;
}

/**
 * @param grantable as what whoever reads it may invite: an admin does not see the link of an invitation as owner
 * @param link where it is accepted; null when the key it was derived with is gone
 */
export function toInvitationResponse(
  row: InvitationRow,
  grantable: ReadonlySet<Role>,
  link: string | null,
): InvitationResponse {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: statusOf(row),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    inviter_email: row.inviter_email,
    invite_url: grantable.has(row.role) ? link : null,
    mail_status: row.mail_status,
    mail_detail: row.mail_detail,
  };
}
