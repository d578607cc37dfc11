import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { type Membership, outranks, UnauthenticatedError, type VerifiedKey } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { AccountLocks, MembershipService } from '../../orgs';

/** How long a sign-in by an administrator lasts, and keys that are created during it. */
const LASTS_MS = 12 * 3_600_000;

/**
 * Keys behind the sessions of administrators' links, which nobody can send. They reach one organization only, and nothing
 * that their user keeps for all of them, since whoever made the link may be the one who uses it.
 */
@Injectable()
export class LinkKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly locks: AccountLocks,
    private readonly members: MembershipService,
    private readonly keys: KeyIssuer,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one for a member whom an administrator lets in. Of this and a change of roles, one waits for the other.
   * @throws UnauthenticatedError where the administrator does not outrank the member, or no longer
   */
  make(member: Membership, letInBy: string): Promise<Pick<VerifiedKey, 'keyId' | 'keyExpiresAt'>> {
    return this.database.transaction(async (transaction) => {
      await this.locks.organizationAndUser(transaction, member.orgId, member.userId);
      const maker = await this.members.roleIn(transaction, { ...member, userId: letInBy });
      const theirs = await this.members.roleIn(transaction, member);
      if (maker === null || theirs === null || !outranks(maker, theirs)) throw new UnauthenticatedError();
      const now = this.clock.now();
      const ended = { letInByUserId: Not(IsNull()), expiresAt: LessThanOrEqual(now) };
      await this.keys.revoke(transaction, { ...member, ...ended });
      const expiresAt = new Date(now.getTime() + LASTS_MS);
      const key = { ...member, name: 'Sign-in link', expiresAt, letInBy };
      const { id } = await this.keys.issue(transaction, key);
      return { keyId: id, keyExpiresAt: expiresAt };
    });
  }

  /**
   * Ends the sessions, and the keys that were made in them, when their user or the administrator gets another role or is a
   * member no longer: whoever was given a link has what its maker outranks, and no more.
   */
  @OnDomainEvent(['member.role_changed', 'member.removed'])
  async end(
    { org_id: orgId, user_id: userId }: DomainEventOf<'member.role_changed' | 'member.removed'>,
    transaction: EntityManager,
  ): Promise<void> {
    await this.keys.revoke(transaction, [
      { orgId, userId, letInByUserId: Not(IsNull()) },
      { orgId, letInByUserId: userId },
    ]);
  }
}
