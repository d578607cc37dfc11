import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Role } from '../../../kernel/auth';
import { GrantableRoles } from '../record/grantable-roles';
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

/** Finds invitations by the digests of their tokens. */
@Injectable()
export class InvitationViews {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly grantable: GrantableRoles,
  ) {}

  /**
   * @param transaction that sees it as it is under a lock; none for a look at it
   * @returns null for one that does not exist or was renewed
   */
  async find(
    digest: string,
    transaction: EntityManager = this.database.manager,
  ): Promise<InvitationView | null> {
    const row = await selectInvitationContext(transaction, digest);
    if (!row) return null;
    const inviter = { orgId: row.org_id, userId: row.inviter_user_id };
    const isGranted = (await this.grantable.of(transaction, inviter)).has(row.role);
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
      state: stateOf(row, isGranted),
    };
  }
}

function stateOf(row: InvitationContextRow, isGranted: boolean): InvitationState {
  if (row.status === 'accepted') return 'used';
  if (row.status === 'revoked') return 'revoked';
  if (row.expired) return 'expired';
  if (!isGranted) return 'withdrawn';
  return row.is_member ? 'member' : 'valid';
}
