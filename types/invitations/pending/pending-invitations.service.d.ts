import { Repository } from 'typeorm';
import { type Caller, type OrgContext } from '../../auth';
import { type Page } from '../../common';
import { InvitationMailer } from '../email/invitation-mailer';
import { InvitationTokens } from '../record/invitation-tokens';
import { InviteRateLimiter } from '../invite/invite-rate-limiter';
import type { InvitationResponse } from '../record/invite.dto';
import { Invitation } from '../record/invitation.entity';
/** Lists, revokes and renews the invitations of an organization (docs/contract.md#invitations). */
export declare class PendingInvitationsService {
    private readonly invitations;
    private readonly rateLimiter;
    private readonly tokens;
    private readonly mailer;
    constructor(invitations: Repository<Invitation>, rateLimiter: InviteRateLimiter, tokens: InvitationTokens, mailer: InvitationMailer);
    /**
     * The invitations that can be accepted now, newest first.
     * @param pageId id of the first one of the page; null for the newest
     */
    list(org: OrgContext, pageId: string | null, limit: number): Promise<Page<InvitationResponse>>;
    /** @throws InvitationNotFoundError, InvitationNotPendingError */
    revoke(caller: Caller, org: OrgContext, id: string): Promise<void>;
    /**
     * Renews an invitation that is pending or has expired, and emails it again. It counts as a call with one
     * address.
     * @throws InvitationNotFoundError, InvitationNotPendingError, RoleNotGrantableError, InvitationLimitError
     */
    resend(caller: Caller, org: OrgContext, id: string): Promise<{
        body: InvitationResponse;
        headers: Record<string, string>;
    }>;
    private find;
    private toResponse;
}
