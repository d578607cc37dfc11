import { Injectable } from '@nestjs/common';
import { ServiceKeys } from '../../accounts/api-keys';
import type { Caller, OrgContext } from '../../kernel/auth';
import { Clock, TtlCache } from '../../kernel/common';

/** How long a lent key works: longer than it is used, so that no call meets its end. */
const LIFETIME_MS = 600_000;
const USED_MS = 300_000;
const MOST = 10_000;

/**
 * The keys by which the service for automations knows whose calls are passed on to it. Each stands for one credential in one
 * organization, works for minutes, and never longer than that credential.
 */
@Injectable()
export class LentKeys {
  private readonly keys: TtlCache<string>;

  constructor(
    private readonly lender: ServiceKeys,
    private readonly clock: Clock,
  ) {
    this.keys = new TtlCache(clock, USED_MS, MOST);
  }

  /**
   * The text of a key of the caller that is bound to the organization.
   * @throws NoSuchMemberError if the caller has just left it
   */
  of(caller: Caller, { orgId }: OrgContext): Promise<string> {
    return this.keys.get(nameOf(caller, orgId), () => {
      const end = new Date(this.clock.now().getTime() + LIFETIME_MS);
      const { keyExpiresAt, userId } = caller;
      const expiresAt = keyExpiresAt !== null && keyExpiresAt < end ? keyExpiresAt : end;
      return this.lender.lend({ userId, orgId }, 'Passed on to automations', expiresAt);
    });
  }

  /** The key was refused, as it has been revoked: the next call gets another. */
  forget(caller: Caller, { orgId }: OrgContext): void {
    this.keys.delete(nameOf(caller, orgId));
  }
}

function nameOf({ keyId, sessionId }: Caller, orgId: string): string {
  return `${keyId} ${sessionId ?? ''} ${orgId}`;
}
