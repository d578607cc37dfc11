import type { Role } from '../../auth';
import { type ColumnsOf, type SqlRunner } from '../../database';
import type { Invitation } from '../record/invitation.entity';
/** An invitation with what it depends on: organization, inviter, and who has the invited address. */
export type InvitationContextRow = ColumnsOf<Invitation, 'id' | 'generation' | 'orgId' | 'email' | 'role' | 'status' | 'expiresAt'> & {
    readonly expired: boolean;
    readonly org_name: string;
    readonly inviter_name: string | null;
    readonly inviter_email: string;
    readonly inviter_disabled: boolean;
    /** Null when the inviter is no longer a member. */
    readonly inviter_role: Role | null;
    /** The invited address belongs to a member. */
    readonly is_member: boolean;
};
/** The invitation of a token. By hand: one statement sees everything as of the same time. */
export declare function selectInvitationContext(database: SqlRunner, tokenDigest: string): Promise<InvitationContextRow | null>;
