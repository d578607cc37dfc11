import { Injectable } from '@nestjs/common';
import { CredentialVerifier, type Membership, MembershipReader, SessionVerifier } from '../identity/ports';

/**
 * What has become of the access of those who were authenticated a while ago, and whose connections are still open:
 * read from the database, past all caches, for many of them at once.
 */
@Injectable()
export class StandingAccess {
  constructor(
    private readonly keys: CredentialVerifier,
    private readonly sessions: SessionVerifier,
    private readonly members: MembershipReader,
  ) {}

  /** Which of some keys still work, by their ids. */
  workingKeys(keyIds: readonly number[]): Promise<ReadonlySet<number>> {
    return keyIds.length === 0 ? Promise.resolve(new Set()) : this.keys.working(keyIds);
  }

  /** Which of some sessions of browsers have not ended, by their ids. */
  lastingSessions(sessionIds: readonly number[]): Promise<ReadonlySet<number>> {
    return sessionIds.length === 0 ? Promise.resolve(new Set()) : this.sessions.lasting(sessionIds);
  }

  /** Which of some users are still members of the organizations named with them. */
  presentMembers(memberships: readonly Membership[]): Promise<readonly Membership[]> {
    return memberships.length === 0 ? Promise.resolve([]) : this.members.membersAmong(memberships);
  }
}
