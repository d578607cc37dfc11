import type { EntityManager } from 'typeorm';
import { type Settings } from '../../config';
import { AccountLocks } from '../../orgs';
import { type UsageRow } from './invite-usage.query';
/**
 * Enforces the limits of invitations (docs/contract.md#invitation-limits): usage is counted in the transaction
 * of the invitations, under the locks taken here.
 */
export declare class InviteRateLimiter {
    private readonly locks;
    private readonly addresses;
    private readonly calls;
    constructor(settings: Settings, locks: AccountLocks);
    /**
     * Locks the organization against other changes of its invitations, then the inviter, who may be calling
     * for another organization at the same time. Only usage read after this is reliable.
     * @throws UnknownOrganizationError when the organization is gone
     */
    lock(transaction: EntityManager, orgId: string, inviterId: string): Promise<{
        inviterEmail: string;
    }>;
    /**
     * @param addresses how many this call invites
     * @returns the headers that say what is left of the organization's budget
     * @throws InvitationLimitError
     */
    check(usage: UsageRow, addresses: number): Record<string, string>;
}
