import { execute, queryRows, type SqlRunner } from '../../../kernel/database';
import type { InvitationRow } from '../record/invitation-record';
import type { Invitation } from '../record/invitation.entity';

/** How long an invitation can be accepted, as SQL. */
const LIFETIME = `interval '7 days'`;

/** An invitation to be written: new, or the next generation of a pending one. */
export type Draft = Pick<Invitation, 'id' | 'email' | 'generation' | 'tokenDigest'>;

/** The call that writes invitations. */
type InvitingCall = Pick<Invitation, 'orgId' | 'inviterUserId' | 'mailStatus'> & {
  readonly now: Date;
};

/** An invitation as it was written; its inviter is the caller. */
export type WrittenRow = Omit<InvitationRow, 'inviter_email'>;

/**
 * Writes the drafts and records the call for the limits; a pending invitation is renewed in place. By hand: one
 * statement whatever the number of invitations.
 */
export async function writeInvitations(
  transaction: SqlRunner,
  call: InvitingCall,
  role: Invitation['role'],
  drafts: readonly Draft[],
): Promise<WrittenRow[]> {
  return queryRows(
    transaction,
    `WITH recorded AS (
       INSERT INTO invitation_calls (org_id, inviter_user_id, addresses, called_at)
       VALUES ($1, $2, cardinality($5::int[]), $4)
     )
     INSERT INTO invitations AS i (org_id, inviter_user_id, role, created_at, expires_at, mail_status,
                                   id, email, generation, token_digest)
     SELECT $1, $2, $3, $4, $4::timestamptz + ${LIFETIME}, $9, d.*
       FROM unnest($5::int[], $6::text[], $7::int[], $8::text[]) AS d
     ON CONFLICT (org_id, email) WHERE status = 'pending' DO UPDATE
       SET inviter_user_id = excluded.inviter_user_id, role = excluded.role, expires_at = excluded.expires_at,
           generation = excluded.generation, token_digest = excluded.token_digest,
           mail_status = excluded.mail_status, mail_detail = NULL
     RETURNING i.id, i.email, i.role, i.status, i.generation, i.token_digest, i.created_at, i.expires_at,
               false AS expired, i.mail_status, i.mail_detail`,
    [
      call.orgId,
      call.inviterUserId,
      role,
      call.now,
      drafts.map(({ id }) => id),
      drafts.map(({ email }) => email),
      drafts.map(({ generation }) => generation),
      drafts.map(({ tokenDigest }) => tokenDigest),
      call.mailStatus,
    ],
  );
}

/**
 * Renews one invitation and records the call for the limits. By hand: both are one statement, at the same time.
 */
export async function renewInvitation(
  transaction: SqlRunner,
  call: InvitingCall,
  { id, generation, tokenDigest }: Omit<Draft, 'email'>,
): Promise<void> {
  await execute(
    transaction,
    `WITH recorded AS (
       INSERT INTO invitation_calls (org_id, inviter_user_id, addresses, called_at) VALUES ($2, $3, 1, $4)
     )
     UPDATE invitations SET inviter_user_id = $3, generation = $5, token_digest = $6,
            expires_at = $4::timestamptz + ${LIFETIME}, mail_status = $7, mail_detail = NULL
      WHERE id = $1`,
    [id, call.orgId, call.inviterUserId, call.now, generation, tokenDigest, call.mailStatus],
  );
}
