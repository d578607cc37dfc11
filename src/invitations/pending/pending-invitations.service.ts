import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, type OrgContext, parseRole } from '../../auth';
import { clampLimit, type Page, pageOf } from '../../common';
import { mayGrant } from '../record/grantable-roles';
import { InvitationMail } from '../email/invitation-mail';
import {
  INVITATION_COLUMNS,
  type InvitationRow,
  statusOf,
  toInvitationResponse,
} from '../record/invitation-record';
import { InvitationTokens } from '../record/invitation-tokens';
import {
  InvitationNotFoundError,
  InvitationNotPendingError,
  RoleNotGrantableError,
} from '../record/invitations.errors';
import { InviteRateLimiter, USAGE_COLUMNS, type UsageRow } from '../invite/invite-rate-limiter';
import type { InvitationResponse } from '../record/invite.dto';
import { LIFETIME } from '../invite/invite.service';

const FROM = 'FROM invitations i JOIN users u ON u.id = i.inviter_user_id';

/** Lists, revokes and renews the invitations of an organization (docs/contract.md#invitations). */
@Injectable()
export class PendingInvitationsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly ledger: InviteRateLimiter,
    private readonly tokens: InvitationTokens,
    private readonly mail: InvitationMail,
  ) {}

  /**
   * The invitations that can be accepted now, newest first.
   * @param pageId id of the first one of the page; null for the newest
   */
  async list(org: OrgContext, pageId: string | null, limit: number): Promise<Page<InvitationResponse>> {
    const most = clampLimit(limit);
    const rows = await this.database.query<InvitationRow[]>(
      `SELECT ${INVITATION_COLUMNS} ${FROM}
        WHERE i.org_id = $1 AND i.status = 'pending' AND i.expires_at > clock_timestamp()
          AND ($2::int IS NULL OR i.id <= $2)
        ORDER BY i.id DESC LIMIT $3`,
      [org.orgId, pageId === null ? null : idFrom(pageId), most + 1],
    );
    return pageOf(
      rows,
      most,
      (row) => this.toResponse(row, org),
      ({ id }) => String(id),
    );
  }

  /** @throws InvitationNotFoundError, InvitationNotPendingError */
  async revoke(caller: Caller, org: OrgContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.ledger.lock(transaction, org.orgId, caller.userId);
      const row = await this.find(transaction, org.orgId, id);
      if (statusOf(row) !== 'pending') throw new InvitationNotPendingError(statusOf(row));
      await transaction.query(`UPDATE invitations SET status = 'revoked' WHERE id = $1`, [row.id]);
    });
  }

  /**
   * Renews an invitation that is pending or has expired, and mails it again. It counts as a call with one
   * address.
   * @throws InvitationNotFoundError, InvitationNotPendingError, RoleNotGrantableError, InvitationLimitError
   */
  async resend(
    caller: Caller,
    org: OrgContext,
    id: string,
  ): Promise<{ answer: InvitationResponse; headers: Record<string, string> }> {
    return this.database.transaction(async (transaction) => {
      await this.ledger.lock(transaction, org.orgId, caller.userId);
      const known = await this.find(transaction, org.orgId, id);
      const now = await this.now(transaction, org.orgId, caller.userId);
      const inviterRole = parseRole(now.inviter_role ?? '');
      if (inviterRole === null || !mayGrant(inviterRole, known.role))
        throw new RoleNotGrantableError(known.role);
      if (known.status !== 'pending') throw new InvitationNotPendingError(known.status);
      const headers = this.ledger.check(now, 1);
      const generation = known.generation + 1;
      await transaction.query(
        `WITH noted AS (
           INSERT INTO invitation_calls (org_id, inviter_user_id, addresses, called_at) VALUES ($2, $3, 1, $4)
         )
         UPDATE invitations SET inviter_user_id = $3, generation = $5, token_digest = $6,
                expires_at = $4::timestamptz + ${LIFETIME}, mail_status = $7, mail_detail = NULL
          WHERE id = $1`,
        [
          known.id,
          org.orgId,
          caller.userId,
          now.now,
          generation,
          this.tokens.issue(known.id, generation).digest,
          this.mail.configured ? 'queued' : 'none',
        ],
      );
      await this.mail.queue(transaction, [{ id: known.id, generation }]);
      const renewed = await this.find(transaction, org.orgId, String(known.id));
      return { answer: this.toResponse(renewed, org), headers };
    });
  }

  private async now(
    transaction: EntityManager,
    orgId: string,
    inviterId: string,
  ): Promise<UsageRow & { now: Date; inviter_role: string | null }> {
    const [row] = await transaction.query<[UsageRow & { now: Date; inviter_role: string | null }]>(
      `SELECT m.now, (SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2) AS inviter_role,
              ${USAGE_COLUMNS}
         FROM (SELECT clock_timestamp()::timestamptz(3) AS now) m`,
      [orgId, inviterId],
    );
    return row;
  }

  private async find(transaction: EntityManager, orgId: string, id: string): Promise<InvitationRow> {
    const number = idFrom(id);
    if (number === 0) throw new InvitationNotFoundError();
    const [row] = await transaction.query<InvitationRow[]>(
      `SELECT ${INVITATION_COLUMNS} ${FROM} WHERE i.org_id = $1 AND i.id = $2`,
      [orgId, number],
    );
    if (!row) throw new InvitationNotFoundError();
    return row;
  }

  private toResponse(row: InvitationRow, org: OrgContext): InvitationResponse {
    const link = this.tokens.linkOf({ ...row, tokenDigest: row.token_digest });
    return toInvitationResponse(row, org.role, link);
  }
}

/** Ids of the path and of pages are text; one that is no id of ours reads as 0, which names nothing. */
function idFrom(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}
