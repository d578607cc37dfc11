import { Injectable } from '@nestjs/common';
import { Clock } from '../../common';
import type { Permission } from '../identity/permissions';
import { OF_SANDBOX, whyNotAccepted } from '../identity/credential-rules';
import {
  CredentialVerifier,
  type Member,
  type Membership,
  MembershipReader,
  SessionVerifier,
} from '../identity/ports';
import type { RuledCredential } from '../identity/principal';

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

/** What is asked of who has no key of their own. */
const NO_KEY: RuledCredential = { ownKey: null, identityProviderId: OF_SANDBOX };

/**
 * The part of a grant that was revoked: the key or session, which the organization may not accept any more, the membership, or the
 * permission.
 */
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
    private readonly clock: Clock,
  ) {}

  /** Those of some grants that hold no longer, and why; reads with three statements at most. */
  async ended<Of extends Grant>(grants: readonly Of[]): Promise<ReadonlyMap<Of, WhyEnded>> {
    const keys = await this.workingKeys(grants.flatMap(({ keyId }) => keyId ?? []));
    const sessions = await this.lastingSessions(grants.flatMap(({ sessionId }) => sessionId ?? []));
    const heldBy = new Map(grants.map((grant) => [grant, holdersOf(grant, keys)]));
    const wanted = new Map([...heldBy.values()].flat().map((holder) => [nameOf(holder), holder]));
    const present = await this.presentMembers([...wanted.values()]);
    const members = new Map(present.map((member) => [nameOf(member), member]));
    const ended = new Map<Of, WhyEnded>();
    const now = this.clock.now();
    for (const grant of grants) {
      const { sessionId, keyExpiresAt } = grant;
      const isKnown =
        (sessionId === null || sessions.has(sessionId)) &&
        (keyExpiresAt === null || keyExpiresAt > now) &&
        isAccepted(grant, keys, members.get(nameOf(grant)), now);
      const holders = heldBy.get(grant) ?? [];
      const whys = holders.map((holder) => whyNoMember(grant, members.get(nameOf(holder))));
      const why = isKnown ? (whys.find((each) => each !== null) ?? null) : 'credential';
      if (why !== null) ended.set(grant, why);
    }
    return ended;
  }

  /** Which of some users are still members of the organizations named with them. */
  presentMembers(memberships: readonly Membership[]): Promise<readonly Member[]> {
    return memberships.length === 0 ? Promise.resolve([]) : this.members.membersAmong(memberships);
  }

  private workingKeys(keyIds: readonly number[]): Promise<ReadonlyMap<number, RuledCredential>> {
    return keyIds.length === 0 ? Promise.resolve(new Map()) : this.keys.working([...new Set(keyIds)]);
  }

  private lastingSessions(sessionIds: readonly number[]): Promise<ReadonlySet<number>> {
    return sessionIds.length === 0
      ? Promise.resolve(new Set())
      : this.sessions.lasting([...new Set(sessionIds)]);
  }
}

/** Whether the key of a grant works, and the organization accepts it. */
function isAccepted(
  { keyId, sessionId }: Grant,
  keys: ReadonlyMap<number, RuledCredential>,
  member: Member | undefined,
  now: Date,
): boolean {
  const key = keyId === null ? NO_KEY : keys.get(keyId);
  if (key === undefined) return false;
  const sent = sessionId === null ? key : { ...key, sessionId };
  return whyNotAccepted(sent, member?.rules ?? null, now) === null;
}

/** Whose permissions a grant needs: those of its user, and of who made the key of a service account. */
function holdersOf(
  { userId, orgId, keyId }: Grant,
  keys: ReadonlyMap<number, RuledCredential>,
): readonly Membership[] {
  const maker = keyId === null ? undefined : keys.get(keyId)?.madeBy;
  return [{ userId, orgId }, ...(maker === undefined ? [] : [{ userId: maker, orgId }])];
}

function whyNoMember({ permission }: Grant, member: Member | undefined): WhyEnded | null {
  if (member === undefined) return 'membership';
  return permission === null || member.permissions.has(permission) ? null : 'permission';
}

function nameOf({ userId, orgId }: Membership): string {
  return `${userId} ${orgId}`;
}
