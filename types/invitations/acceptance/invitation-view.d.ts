import { type Role } from '../../auth';
import type { SqlRunner } from '../../database';
/**
 * What can be done with an invitation: `member` when the invited address belongs to a member already,
 * `withdrawn` when its inviter may no longer invite with this role.
 */
export type InvitationState = 'valid' | 'expired' | 'revoked' | 'used' | 'withdrawn' | 'member';
/** An invitation as the holder of its token sees it. */
export interface InvitationView {
    readonly id: number;
    readonly generation: number;
    readonly orgId: string;
    readonly orgName: string;
    readonly email: string;
    readonly role: Role;
    readonly inviterName: string | null;
    readonly inviterEmail: string;
    readonly expiresAt: Date;
    readonly state: InvitationState;
}
/** Finds an invitation by the digest of its token; null for one that does not exist or was renewed. */
export declare function readInvitation(database: SqlRunner, digest: string): Promise<InvitationView | null>;
