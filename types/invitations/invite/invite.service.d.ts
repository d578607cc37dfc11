import { DataSource } from 'typeorm';
import { type Caller, type OrgContext } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { InvitationMailer } from '../email/invitation-mailer';
import { InvitationTokens } from '../record/invitation-tokens';
import { InviteRateLimiter } from './invite-rate-limiter';
import type { BatchInvitationResponse, InvitationCreate } from '../record/invite.dto';
/** Invites many addresses at once (docs/contract.md#invite), in a handful of queries whatever their number. */
export declare class InviteService {
    private readonly database;
    private readonly rateLimiter;
    private readonly tokens;
    private readonly mailer;
    private readonly events;
    constructor(database: DataSource, rateLimiter: InviteRateLimiter, tokens: InvitationTokens, mailer: InvitationMailer, events: DomainEvents);
    /**
     * @param request its addresses are valid already
     * @returns what became of each address, and the headers that say what is left of the budget
     * @throws InvalidRoleError, RoleNotGrantableError, InvitationLimitError, UnknownOrganizationError
     */
    invite(caller: Caller, org: OrgContext, request: InvitationCreate): Promise<{
        body: BatchInvitationResponse;
        headers: Record<string, string>;
    }>;
    /** An invitation that was pending and is renewed is not created. */
    private publishCreated;
    /** What is written for the addresses: nothing for those of members. */
    private draftsOf;
}
