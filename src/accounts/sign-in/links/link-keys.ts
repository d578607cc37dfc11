import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { mayActAs, type Membership, UnauthenticatedError, type VerifiedKey } from '../../../kernel/auth';
import { Clock, newId } from '../../../kernel/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { AccountLocks, MembershipService, OwnRoles } from '../../orgs';

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
    private readonly roles: OwnRoles,
    private readonly keys: KeyIssuer,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one for a member whom an administrator lets in. Of this and a change of roles, one waits for the other.
   * @throws UnauthenticatedError where the administrator may not act as the member, or no longer
   */
  make(member: Membership, letInBy: string): Promise<Pick<VerifiedKey, 'keyId' | 'keyExpiresAt'>> {
    return this.database.transaction(async (transaction) => {
      await this.locks.organizationAndUser(transaction, member.orgId, member.userId);
      const maker = await this.members.standingIn(transaction, { ...member, userId: letInBy });
      const theirs = await this.members.standingIn(transaction, member);
      if (maker === null || theirs === null || !mayActAs(maker, theirs)) throw new UnauthenticatedError();
      const now = this.clock.now();
      const ended = { letInByUserId: Not(IsNull()), expiresAt: LessThanOrEqual(now) };
      await this.keys.revoke(transaction, { ...member, ...ended });
      const expiresAt = new Date(now.getTime() + LASTS_MS);
      // Not the form of a key: nobody can send it.
      const key = { ...member, name: 'Sign-in link', expiresAt, letInBy, key: `sign-in link ${newId()}` };
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

  /** Ends those of the members with a role, as well, when it permits something else. */
  @OnDomainEvent('role.updated')
  async endOfRole(
    { org_id: orgId, role_id, fields }: DomainEventOf<'role.updated'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (!fields.includes('permissions')) return;
    const userId = In(await this.roles.holdersOf(transaction, role_id));
    await this.keys.revoke(transaction, { orgId, userId, letInByUserId: Not(IsNull()) });
  }
}
