import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Asker, NotAMemberError, ServiceActor, type Standing } from '../../../kernel/auth';
import { AccountLocks } from '../record/account-locks';
import { MembershipService } from './membership.service';

/** What callers may do while nobody else changes members and roles of the organization. */
@Injectable()
export class LockedStandings {
  constructor(
    private readonly locks: AccountLocks,
    private readonly members: MembershipService,
  ) {}

  /**
   * The caller's own standing as it is now, whatever the key can do, under a lock of the organization: two owners who act on
   * each other at once are then handled one after the other, and the second is no longer an owner.
   * @throws NotAMemberError
   */
  async of(transaction: EntityManager, orgId: string, caller: Pick<Asker, 'userId'>): Promise<Standing> {
    await this.locks.organization(transaction, orgId);
    if (caller instanceof ServiceActor) return caller;
    const { userId } = caller;
    const standing = userId === null ? null : await this.members.standingIn(transaction, { userId, orgId });
    if (standing === null) throw new NotAMemberError();
    return standing;
  }
}
