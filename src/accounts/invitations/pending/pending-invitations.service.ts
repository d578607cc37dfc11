import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { z } from 'zod';
import { type Caller, type OrgContext, type Role } from '../../../kernel/auth';
import { clampLimit, type Page, PageIds, pageOf } from '../../../kernel/common';
import { InvitationMailer } from '../email/invitation-mailer';
import { GrantableRoles } from '../record/grantable-roles';
import { type InvitationRow, statusOf, toInvitationResponse } from '../record/invitation-record';
import { InvitationTokens } from '../record/invitation-tokens';
import {
  InvitationNotFoundError,
  InvitationNotPendingError,
  RoleNotGrantableError,
} from '../record/invitations.errors';
import { InviteRateLimiter } from '../invite/invite-rate-limiter';
import { selectInviter } from '../invite/inviter.read-model';
import { renewInvitation } from '../invite/write-invitations.query';
import type { InvitationResponse } from '../record/invite.dto';
import { Invitation } from '../record/invitation.entity';
import { selectInvitation, selectPending } from './pending-invitations.read-model';

const PAGES = new PageIds('invitations', z.int32());

/** Lists, revokes and renews the invitations of an organization (docs/contract.md#invitations). */
@Injectable()
export class PendingInvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly grantable: GrantableRoles,
    private readonly rateLimiter: InviteRateLimiter,
    private readonly tokens: InvitationTokens,
    private readonly mailer: InvitationMailer,
  ) {}

  /**
   * The invitations that can be accepted now, newest first.
   * @param pageId null for the newest
   */
  async list(
    { userId }: Caller,
    org: OrgContext,
    pageId: string | null,
    limit: number,
  ): Promise<Page<InvitationResponse>> {
    const most = clampLimit(limit);
    const from = PAGES.read(pageId);
    const { orgId } = org;
    const rows = await selectPending(this.invitations.manager, orgId, from, most + 1);
    const grantable = await this.grantable.bySent(this.invitations.manager, { orgId, userId }, org);
    return pageOf(
      rows,
      most,
      (row) => this.toResponse(row, grantable),
      ({ id }) => PAGES.write(id),
    );
  }

  /** @throws InvitationNotFoundError, InvitationNotPendingError */
  async revoke(caller: Caller, org: OrgContext, id: string): Promise<void> {
    await this.invitations.manager.transaction(async (transaction) => {
      await this.rateLimiter.lock(transaction, org.orgId, caller.userId);
      const row = await this.find(transaction, org.orgId, id);
      if (statusOf(row) !== 'pending') throw new InvitationNotPendingError(statusOf(row));
      await transaction.withRepository(this.invitations).update({ id: row.id }, { status: 'revoked' });
    });
  }

  /**
   * Renews an invitation that is pending or has expired, and emails it again. It counts as a call with one
   * address.
   * @throws InvitationNotFoundError, InvitationNotPendingError, RoleNotGrantableError, InvitationLimitError
   */
  async resend(
    caller: Caller,
    org: OrgContext,
    id: string,
  ): Promise<{ body: InvitationResponse; headers: Record<string, string> }> {
    return this.invitations.manager.transaction(async (transaction) => {
      await this.rateLimiter.lock(transaction, org.orgId, caller.userId);
      const known = await this.find(transaction, org.orgId, id);
      const inviter = await selectInviter(transaction, org.orgId, caller.userId);
      const membership = { orgId: org.orgId, userId: caller.userId };
      const grantable = await this.grantable.bySent(transaction, membership, org);
      if (!grantable.has(known.role)) throw new RoleNotGrantableError(known.role);
      if (known.status !== 'pending') throw new InvitationNotPendingError(known.status);
      const headers = this.rateLimiter.check(inviter, 1);
      const generation = known.generation + 1;
      await renewInvitation(
        transaction,
        {
          orgId: org.orgId,
          inviterUserId: caller.userId,
          now: inviter.now,
          mailStatus: this.mailer.configured ? 'queued' : 'none',
        },
        { id: known.id, generation, tokenDigest: this.tokens.issue(known.id, generation).digest },
      );
      await this.mailer.queue(transaction, [{ id: known.id, generation }]);
      const renewed = await this.find(transaction, org.orgId, String(known.id));
      return { body: this.toResponse(renewed, grantable), headers };
    });
  }

  private async find(transaction: EntityManager, orgId: string, id: string): Promise<InvitationRow> {
    const number = idFrom(id);
    if (number === 0) throw new InvitationNotFoundError();
    const row = await selectInvitation(transaction, orgId, number);
    if (!row) throw new InvitationNotFoundError();
    return row;
  }

  private toResponse(row: InvitationRow, grantable: ReadonlySet<Role>): InvitationResponse {
    const link = this.tokens.linkOf({ ...row, tokenDigest: row.token_digest });
    return toInvitationResponse(row, grantable, link);
  }
}

/** Ids of the path and of pages are text; one that is no id of ours reads as 0, which names nothing. */
function idFrom(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}
