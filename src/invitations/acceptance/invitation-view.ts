import type { EntityManager } from 'typeorm';
import { parseRole, type Role } from '../../auth';
import { mayGrant } from '../record/grantable-roles';
import type { StoredStatus } from '../record/invitation.entity';

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

interface ViewRow {
  readonly id: number;
  readonly generation: number;
  readonly org_id: string;
  readonly org_name: string;
  readonly email: string;
  readonly role: Role;
  readonly status: StoredStatus;
  readonly expires_at: Date;
  readonly expired: boolean;
  readonly inviter_name: string | null;
  readonly inviter_email: string;
  readonly inviter_disabled: boolean;
  readonly inviter_role: string | null;
  readonly is_member: boolean;
}

/** Finds an invitation by the digest of its token; null for one that does not exist or was renewed. */
export async function readInvitation(
  database: Pick<EntityManager, 'query'>,
  digest: string,
): Promise<InvitationView | null> {
  const [row] = await database.query<ViewRow[]>(
    `SELECT i.id, i.generation, i.org_id, o.name AS org_name, i.email, i.role, i.status, i.expires_at,
            i.expires_at <= clock_timestamp() AS expired, u.name AS inviter_name, u.email AS inviter_email,
            u.disabled_at IS NOT NULL AS inviter_disabled, m.role AS inviter_role,
            EXISTS (SELECT FROM users p JOIN org_members q ON q.user_id = p.id
                     WHERE q.org_id = i.org_id AND p.email = i.email) AS is_member
       FROM invitations i
       JOIN organizations o ON o.id = i.org_id
       JOIN users u ON u.id = i.inviter_user_id
       LEFT JOIN org_members m ON m.org_id = i.org_id AND m.user_id = i.inviter_user_id
      WHERE i.token_digest = $1`,
    [digest],
  );
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

function stateOf(row: ViewRow): InvitationState {
  if (row.status === 'accepted') return 'used';
  if (row.status === 'revoked') return 'revoked';
  if (row.expired) return 'expired';
  const inviterRole = parseRole(row.inviter_role ?? '');
  if (row.inviter_disabled || inviterRole === null || !mayGrant(inviterRole, row.role)) return 'withdrawn';
  return row.is_member ? 'member' : 'valid';
}
