import { type ColumnsOf, type SqlRunner } from '../../database';
import type { Invitation } from '../record/invitation.entity';
/** An invitation whose email is still to be sent, with what the email says. */
export type UnsentInvitationRow = ColumnsOf<Invitation, 'id' | 'generation' | 'email' | 'role' | 'expiresAt' | 'tokenDigest'> & {
    readonly org_name: string;
    readonly inviter_email: string;
    readonly inviter_name: string | null;
};
/**
 * By hand: invitation, organization and inviter in one statement for each email, and expiry by the database's
 * clock.
 * @returns null when there is nothing to send any more: sent, replaced, accepted, revoked, expired or gone
 */
export declare function selectUnsentInvitation(database: SqlRunner, { id, generation }: Pick<Invitation, 'id' | 'generation'>): Promise<UnsentInvitationRow | null>;
