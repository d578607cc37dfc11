import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnknownOrganizationError } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { AccountLocks } from '../../orgs';
import { checkLimits, type Demand, inviteLimitHeaders, type Limit } from './invite-limits';
import { type UsageRow, WINDOW_SECONDS } from './invite-usage.query';

/**
 * Enforces the limits of invitations (docs/contract.md#invitation-limits): usage is counted in the transaction
 * of the invitations, under the locks taken here.
 */
@Injectable()
export class InviteRateLimiter {
  private readonly addresses: Limit;
  private readonly calls: Limit;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly locks: AccountLocks,
  ) {
    this.addresses = {
      most: settings.INVITE_ADDRESSES_PER_HOUR,
      windowSeconds: WINDOW_SECONDS.addresses,
      refusal: `An organization may invite ${settings.INVITE_ADDRESSES_PER_HOUR} addresses within an hour.`,
    };
    this.calls = {
      most: settings.INVITE_CALLS_PER_MINUTE,
      windowSeconds: WINDOW_SECONDS.calls,
      refusal: `You may send ${settings.INVITE_CALLS_PER_MINUTE} calls that invite within a minute.`,
    };
  }

  /**
   * Locks the organization against other changes of its invitations, then the inviter, who may be calling
   * for another organization at the same time. Only usage read after this is reliable.
   * @throws UnknownOrganizationError when the organization is gone
   */
  async lock(
    transaction: EntityManager,
    orgId: string,
    inviterId: string,
  ): Promise<{ inviterEmail: string }> {
    const inviter = await this.locks.organizationAndUser(transaction, orgId, inviterId);
    // Service accounts, which have no address, do not invite.
    if (inviter === null || inviter.email === null) throw new UnknownOrganizationError();
    return { inviterEmail: inviter.email };
  }

  /**
   * @param addresses how many this call invites
   * @returns the headers that say what is left of the organization's budget
   * @throws InvitationLimitError
   */
  check(usage: UsageRow, addresses: number): Record<string, string> {
    const ofOrg = demand(this.addresses, usage.used_addresses, addresses);
    const demands = [ofOrg, demand(this.calls, usage.used_calls, 1)];
    checkLimits(demands);
    return inviteLimitHeaders(ofOrg, demands);
  }
}

function demand(limit: Limit, used: readonly (readonly [number, number])[], wanted: number): Demand {
  return { limit, used: used.map(([amount, ageSeconds]) => ({ amount, ageSeconds })), wanted };
}
