import { type SqlRunner } from '../../database';
import type { InvitationRow } from '../record/invitation-record';
import type { Invitation } from '../record/invitation.entity';
/** An invitation to be written: new, or the next generation of a pending one. */
export type Draft = Pick<Invitation, 'id' | 'email' | 'generation' | 'tokenDigest'>;
/** The call that writes invitations. */
export type InvitingCall = Pick<Invitation, 'orgId' | 'inviterUserId' | 'mailStatus'> & {
    readonly now: Date;
};
/** An invitation as it was written; its inviter is the caller. */
export type WrittenRow = Omit<InvitationRow, 'inviter_email'>;
/**
 * Writes the drafts and records the call for the limits; a pending invitation is renewed in place. By hand: one
 * statement whatever the number of invitations.
 */
export declare function writeInvitations(transaction: SqlRunner, call: InvitingCall, role: Invitation['role'], drafts: readonly Draft[]): Promise<WrittenRow[]>;
/**
 * Renews one invitation and records the call for the limits. By hand: both are one statement, at the same time.
 */
export declare function renewInvitation(transaction: SqlRunner, call: InvitingCall, { id, generation, tokenDigest }: Omit<Draft, 'email'>): Promise<void>;
