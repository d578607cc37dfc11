import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { Membership, Role } from '../../../kernel/auth';
import { cutText, newId, storableText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { AccountLocks } from '../record/account-locks';
import { OrgMember } from '../record/org-member.entity';
import { Organization } from '../record/organization.entity';
import { selectFirstOwner } from './account-lists.query';
import {
  disableUser,
  fillCurrentOrganization,
  insertMember,
  insertUser,
  updateRoles,
} from './accounts.query';
import { isBeingErased } from './being-erased.read-model';
import { OrganizationEndingError } from '../ending/ending.errors';
import { isDeprovisioned } from './deprovisioned.read-model';
import { BeingErasedError, DeprovisionedError, LastOwnerError } from '../organizations/orgs.errors';
import { MAX_NAME } from '../record/text-limits';
import { User } from '../record/user.entity';
import { type GivenRole, type RoleChange, roleChanged } from './role-changes';

/** A user as found or created. */
export interface Account {
  readonly userId: string;
  readonly email: string;
  /** False when the address was known already. */
  readonly created: boolean;
}

export interface NewUser {
  /** In any case; kept in lower case. */
  readonly email: string;
  readonly name?: string | null;
  /**
   * While the address is unverified: the organization the user's keys work in
   * (docs/contract.md#accepting-an-invitation).
   */
  readonly confinedToOrgId?: string;
}

/** More are changed by several statements. */
const ROLES_AT_ONCE = 1_000;

/** What other modules ask about a user. */
export type AccountState = Pick<User, 'id' | 'kind' | 'email' | 'confinedToOrgId' | 'disabledAt'>;

const STATE = { id: true, kind: true, email: true, confinedToOrgId: true, disabledAt: true } as const;

/**
 * Reads and writes users, organizations and members for other modules: first start, command line, acceptance
 * of invitations. Callers pass their transaction and clear `AuthCaches` after it.
 */
@Injectable()
export class Accounts {
  constructor(
    private readonly events: DomainEvents,
    private readonly locks: AccountLocks,
  ) {}

  /**
   * True when there is any user at all.
   * @internal
   */
  async anyUserExists(transaction: EntityManager): Promise<boolean> {
    return transaction.getRepository(User).exists();
  }

  async organizationExists(transaction: EntityManager, id: string): Promise<boolean> {
    return transaction.getRepository(Organization).existsBy({ id });
  }

  async isMember(transaction: EntityManager, orgId: string, userId: string): Promise<boolean> {
    return transaction.getRepository(OrgMember).existsBy({ orgId, userId });
  }

  async findById(transaction: EntityManager, id: string): Promise<AccountState | null> {
    return transaction.getRepository(User).findOne({ where: { id }, select: STATE });
  }

  /** @param email in lower case */
  async findByEmail(transaction: EntityManager, email: string): Promise<AccountState | null> {
    return transaction.getRepository(User).findOne({ where: { email }, select: STATE });
  }

  /** The user with this address; created when there is none, left unchanged otherwise. */
  async ensureUser(transaction: EntityManager, user: NewUser): Promise<Account> {
    const email = storableText(user.email).toLowerCase();
    const name = user.name === undefined || user.name === null ? null : cutText(user.name, MAX_NAME);
    const id = newId();
    const created = await insertUser(transaction, {
      id,
      email,
      name,
      confinedToOrgId: user.confinedToOrgId ?? null,
    });
    if (created) return { userId: id, email, created };
    const known = await transaction
      .getRepository(User)
      .findOneOrFail({ where: { email }, select: { id: true } });
    return { userId: known.id, email, created };
  }

  /**
   * @param id chosen by the caller, else a new one
   * @returns the organization's id
   */
  async createOrganization(transaction: EntityManager, name: string, id: string = newId()): Promise<string> {
    await transaction.getRepository(Organization).insert({ id, name: cutText(name, MAX_NAME) });
    return id;
  }

  /**
   * Makes a user a member; the organization becomes current for a user without a current one, or with one they left.
   * @returns false when they were a member already, whose role is left as it is
   * @throws OrganizationEndingError, BeingErasedError; DeprovisionedError for whom the organization's directory has switched off
   *   (docs/scim.md#switched-off)
   */
  async addMember(transaction: EntityManager, orgId: string, userId: string, role: Role): Promise<boolean> {
    // The directory may be switching them off right now.
    await this.locks.organization(transaction, orgId);
    const isEnding = { id: orgId, endingAt: Not(IsNull()) };
    if (await transaction.getRepository(Organization).existsBy(isEnding)) throw new OrganizationEndingError();
    if (await isDeprovisioned(transaction, orgId, userId)) throw new DeprovisionedError();
    if (await isBeingErased(transaction, orgId, userId)) throw new BeingErasedError();
    const added = await insertMember(transaction, { orgId, userId, role });
    await fillCurrentOrganization(transaction, orgId, userId);
    if (added)
      await this.events.publish(transaction, { kind: 'member.added', org_id: orgId, user_id: userId, role });
    return added;
  }

  /**
   * Ends a membership; what the member had is ended by the listeners of `member.removed`. The caller holds the lock of the
   * organization.
   * @returns false for who is no member
   * @throws LastOwnerError
   */
  async removeMember(transaction: EntityManager, orgId: string, userId: string): Promise<boolean> {
    const members = transaction.getRepository(OrgMember);
    const member = await members.findOneBy({ orgId, userId });
    if (member === null) return false;
    if (member.role === 'owner') {
      const others = await members.existsBy({ orgId, role: 'owner', userId: Not(userId) });
      if (!others) throw new LastOwnerError();
    }
    await members.delete({ orgId, userId });
    await this.events.publish(transaction, { kind: 'member.removed', org_id: orgId, user_id: userId });
    return true;
  }

  /** Whether a user is a member of any organization. */
  async isMemberAnywhere(transaction: EntityManager, userId: string): Promise<boolean> {
    return transaction.getRepository(OrgMember).existsBy({ userId });
  }

  /** Names a user whose account one organization alone made, and nobody has proved the address of; nobody else. */
  async renameConfined(
    transaction: EntityManager,
    {
      orgId,
      userId,
      name,
    }: { readonly orgId: string; readonly userId: string; readonly name: string | null },
  ): Promise<void> {
    await transaction
      .getRepository(User)
      .update(
        { id: userId, confinedToOrgId: orgId },
        { name: name === null ? null : cutText(name, MAX_NAME) },
      );
  }

  /**
   * Gives members other roles, or some of the organization's own; callers have checked that they may.
   * @internal
   */
  async changeRoles(
    transaction: EntityManager,
    orgId: string,
    changes: readonly RoleChange[],
  ): Promise<void> {
    for (let first = 0; first < changes.length; first += ROLES_AT_ONCE) {
      const some = changes.slice(first, first + ROLES_AT_ONCE);
      await updateRoles(transaction, orgId, some);
      await this.events.publish(transaction, ...some.map((change) => roleChanged(orgId, change)));
    }
  }

  /**
   * Makes a user without an address, who is in one organization only.
   * @returns the id
   * @internal
   */
  async createServiceAccount(
    transaction: EntityManager,
    { orgId, name, role, ownRoleId }: GivenRole & { readonly orgId: string; readonly name: string },
  ): Promise<string> {
    const userId = newId();
    await transaction.getRepository(User).insert({
      id: userId,
      kind: 'service_account',
      email: null,
      name,
      currentOrgId: orgId,
      confinedToOrgId: orgId,
    });
    await transaction.getRepository(OrgMember).insert({ orgId, userId, role, ownRoleId });
    await this.events.publish(transaction, { kind: 'member.added', org_id: orgId, user_id: userId, role });
    return userId;
  }

  /**
   * Ends a service account: what it made stays, under its name, and nobody acts as it any more.
   * @internal
   */
  async endServiceAccount(transaction: EntityManager, member: Membership): Promise<void> {
    await this.removeMember(transaction, member.orgId, member.userId);
    await transaction.getRepository(User).update({ id: member.userId }, { disabledAt: () => 'now()' });
  }

  /** @internal */
  async rename(transaction: EntityManager, id: string, name: string): Promise<void> {
    await transaction.getRepository(User).update({ id }, { name });
  }

  /**
   * Ends all keys of a user. Who is disabled already stays disabled since the first time.
   * @param email in lower case
   * @returns null when there is no such user
   * @internal
   */
  async disable(
    transaction: EntityManager,
    email: string,
  ): Promise<{ readonly userId: string; readonly disabledAt: Date } | null> {
    const row = await disableUser(transaction, email);
    return row === null ? null : { userId: row.id, disabledAt: row.disabled_at };
  }

  /**
   * Re-enables a user, whose keys work again unless revoked. Does nothing for one who is not disabled.
   * @internal
   */
  async enable(transaction: EntityManager, userId: string): Promise<void> {
    await transaction.getRepository(User).update({ id: userId }, { disabledAt: null });
  }

  /**
   * The longest-standing owner who is not disabled; null where there is none.
   * @internal
   */
  async firstOwner(transaction: EntityManager): Promise<AccountState | null> {
    const owner = await selectFirstOwner(transaction);
    return owner === null ? null : this.findById(transaction, owner.id);
  }

  /**
   * Gives the address of an unverified account to the person who verified it, as a new account that works everywhere, with the
   * memberships of the old one. That is deleted with all it had: the database does so for every table that refers to users, and
   * refuses what is still under way for it. Its keys are the caller's to revoke.
   * @returns the id of the new account
   * @internal
   */
  async handOver(transaction: EntityManager, userId: string, name: string | null): Promise<string> {
    const [users, members] = [transaction.getRepository(User), transaction.getRepository(OrgMember)];
    const old = await users.findOneByOrFail({ id: userId });
    const memberships = await members.findBy({ userId });
    await users.delete({ id: userId });
    const id = newId();
    await users.insert({ id, email: old.email, name: name === null ? old.name : cutText(name, MAX_NAME) });
    await members.insert(
      memberships.map(({ orgId, role, ownRoleId }) => ({ orgId, role, ownRoleId, userId: id })),
    );
    await this.events.publish(
      transaction,
      ...memberships.flatMap(({ orgId: org_id, role }) => [
        { kind: 'member.removed' as const, org_id, user_id: userId },
        { kind: 'member.added' as const, org_id, user_id: id, role },
      ]),
    );
    return id;
  }
}
