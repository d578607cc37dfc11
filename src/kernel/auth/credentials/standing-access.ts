import { Injectable } from '@nestjs/common';
import { Clock } from '../../common';
import { PermissionTable } from '../identity/permission-table';
import type { Permission } from '../identity/permissions';
import {
  CredentialVerifier,
  type Member,
  type Membership,
  MembershipReader,
  SessionVerifier,
} from '../identity/ports';

/** The credentials and permission by which a connection was admitted. */
export interface Grant extends Membership {
  /** Null for a caller without a key of their own. */
  readonly keyId: number | null;
  /** Null for a caller without a browser session. */
  readonly sessionId: number | null;
  /** When what they sent stops working, whatever has become of the key; null for never. */
  readonly keyExpiresAt: Date | null;
  /** The permission that their role needs; null for membership alone. */
  readonly permission: Permission | null;
}

/** The part of a grant that was revoked: the key or session, the membership, or the permission. */
export type WhyEnded = 'credential' | 'membership' | 'permission';

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
    private readonly permissions: PermissionTable,
    private readonly clock: Clock,
  ) {}

  /** Those of some grants that hold no longer, and why; reads with three statements at most. */
  async ended<Of extends Grant>(grants: readonly Of[]): Promise<ReadonlyMap<Of, WhyEnded>> {
    const keys = await this.workingKeys(grants.flatMap(({ keyId }) => keyId ?? []));
    const sessions = await this.lastingSessions(grants.flatMap(({ sessionId }) => sessionId ?? []));
    const wanted = new Map(grants.map((grant) => [nameOf(grant), grant]));
    const present = await this.presentMembers([...wanted.values()]);
    const members = new Map(present.map((member) => [nameOf(member), member]));
    const ended = new Map<Of, WhyEnded>();
    const now = this.clock.now();
    for (const grant of grants) {
      const { keyId, sessionId, keyExpiresAt } = grant;
      const isKnown =
        (keyId === null || keys.has(keyId)) &&
        (sessionId === null || sessions.has(sessionId)) &&
        (keyExpiresAt === null || keyExpiresAt > now);
      const why = isKnown ? this.whyNoMember(grant, members.get(nameOf(grant))) : 'credential';
      if (why !== null) ended.set(grant, why);
    }
    return ended;
  }

  /** Which of some users are still members of the organizations named with them. */
  presentMembers(memberships: readonly Membership[]): Promise<readonly Member[]> {
    return memberships.length === 0 ? Promise.resolve([]) : this.members.membersAmong(memberships);
  }

  private workingKeys(keyIds: readonly number[]): Promise<ReadonlySet<number>> {
    return keyIds.length === 0 ? Promise.resolve(new Set()) : this.keys.working([...new Set(keyIds)]);
  }

  private lastingSessions(sessionIds: readonly number[]): Promise<ReadonlySet<number>> {
    return sessionIds.length === 0
      ? Promise.resolve(new Set())
      : this.sessions.lasting([...new Set(sessionIds)]);
  }

  private whyNoMember({ permission }: Grant, member: Member | undefined): WhyEnded | null {
    if (member === undefined) return 'membership';
    return permission === null || this.permissions.has(member.role, permission) ? null : 'permission';
  }
}

function nameOf({ userId, orgId }: Membership): string {
  return `${userId} ${orgId}`;
}
