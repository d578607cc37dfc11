import { parseRole, type Role } from '../../../kernel/auth';
import type { SqlRunner } from '../../../kernel/database';
import { mayGrant } from '../record/invitation-record';
import { type InvitationContextRow, selectInvitationContext } from './invitation.read-model';

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
export async function readInvitation(database: SqlRunner, digest: string): Promise<InvitationView | null> {
  const row = await selectInvitationContext(database, digest);
  if (!row) return null;
  return {
    id: row.id,
    generation: row.generation,
    orgId: row.org_id,
    orgName: row.org_name,
    email: row.email,
    role: row.role,
    inviterName: row.inviter_name,
    inviterEmail: row.inviter_email,
    expiresAt: row.expires_at,
    state: stateOf(row),
  };
}

function stateOf(row: InvitationContextRow): InvitationState {
  if (row.status === 'accepted') return 'used';
  if (row.status === 'revoked') return 'revoked';
  if (row.expired) return 'expired';
  const inviterRole = parseRole(row.inviter_role ?? '');
  if (row.inviter_disabled || inviterRole === null || !mayGrant(inviterRole, row.role)) return 'withdrawn';
  return row.is_member ? 'member' : 'valid';
}
