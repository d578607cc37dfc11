import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnknownOrganizationError } from '../../auth';
import { SETTINGS, type Settings } from '../../config';
import { checkLimits, type Demand, type Limit, rateLimitHeaders } from './invite-limits';

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

/** Usage as {@link USAGE_COLUMNS} reads it: pairs of amount and age in seconds, oldest first. */
export interface UsageRow {
  readonly used_addresses: readonly (readonly [number, number])[];
  readonly used_calls: readonly (readonly [number, number])[];
}

/** Reads the usage of organization `$1` and inviter `$2`; stands in a select list beside `m.now`. */
export const USAGE_COLUMNS = `
  (SELECT coalesce(json_agg(json_build_array(addresses, extract(epoch FROM m.now - called_at)) ORDER BY called_at), '[]')
     FROM invitation_calls
    WHERE org_id = $1 AND addresses > 0 AND called_at > m.now - interval '${HOUR_SECONDS} seconds') AS used_addresses,
  (SELECT coalesce(json_agg(json_build_array(1, extract(epoch FROM m.now - called_at)) ORDER BY called_at), '[]')
     FROM invitation_calls
    WHERE inviter_user_id = $2 AND called_at > m.now - interval '${MINUTE_SECONDS} seconds') AS used_calls`;

/**
 * Keeps the limits of invitations (docs/contract.md#invitation-limits): counted in the transaction of the
 * invitations, under the locks taken here.
 */
@Injectable()
export class InviteRateLimiter {
  private readonly addresses: Limit;
  private readonly calls: Limit;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.addresses = {
      most: settings.INVITE_ADDRESSES_PER_HOUR,
      windowSeconds: HOUR_SECONDS,
      refusal: `An organization may invite ${settings.INVITE_ADDRESSES_PER_HOUR} addresses within an hour.`,
    };
    this.calls = {
      most: settings.INVITE_CALLS_PER_MINUTE,
      windowSeconds: MINUTE_SECONDS,
      refusal: `You may send ${settings.INVITE_CALLS_PER_MINUTE} calls that invite within a minute.`,
    };
  }

  /**
   * Locks the organization against other changes of its invitations, then the inviter, who may be calling
   * for another organization at the same time. What is counted after this is what counts.
   * @throws UnknownOrganizationError when the organization is gone
   */
  async lock(
    transaction: EntityManager,
    orgId: string,
    inviterId: string,
  ): Promise<{ inviterEmail: string }> {
    const [row] = await transaction.query<{ email: string }[]>(
      `SELECT u.email FROM organizations o, users u WHERE o.id = $1 AND u.id = $2
          FOR NO KEY UPDATE OF o, u`,
      [orgId, inviterId],
    );
    if (!row) throw new UnknownOrganizationError();
    return { inviterEmail: row.email };
  }

  /**
   * @param addresses how many this call invites
   * @returns the headers that tell what is left of the organization's budget
   * @throws InvitationLimitError
   */
  check(usage: UsageRow, addresses: number): Record<string, string> {
    const ofOrg = demand(this.addresses, usage.used_addresses, addresses);
    const demands = [ofOrg, demand(this.calls, usage.used_calls, 1)];
    checkLimits(demands);
    return rateLimitHeaders(ofOrg, demands);
  }
}

function demand(limit: Limit, used: readonly (readonly [number, number])[], wanted: number): Demand {
  return { limit, used: used.map(([amount, ageSeconds]) => ({ amount, ageSeconds })), wanted };
}
