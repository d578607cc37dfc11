import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { NewMembersKeys } from '../../api-keys';
import { noteActor } from '../../../kernel/audit';
import {
  AuthCaches,
  type Caller,
  KeyBoundElsewhereError,
  KeyScopeError,
  noteOrganization,
  type Role,
} from '../../../kernel/auth';
import { DomainEvents } from '../../../kernel/domain-events';
import { AccountLocks, Accounts, type AccountState } from '../../orgs';
import { Invitation } from '../record/invitation.entity';
import { digestOfToken } from '../record/invitation-tokens';
import {
  EmailNotVerifiedError,
  AlreadyMemberError,
  EmailMismatchError,
  InvitationExpiredError,
  InvitationInvalidError,
} from '../record/invitations.errors';
import { AccountExistsError } from './acceptance-codes';
import { type InvitationView, InvitationViews } from './invitation-views';

const KEY_NAME = 'Made when the invitation was accepted';

/** The organization that was joined, and in which role. */
interface Joined {
  readonly orgId: string;
  readonly orgName: string;
  readonly role: Role;
}

/** As {@link Joined}, with a key that is shown this once; null for a user who needs no new one. */
export interface JoinedWithKey extends Joined {
  readonly key: string | null;
  readonly userId: string;
}

/** The part of a caller that acceptance needs. */
type Accepting = Pick<Caller, 'userId' | 'boundOrgId' | 'keyExpiresAt' | 'letInBy' | 'scopes' | 'addresses'>;

/** A person who opened the link of an invitation, and says that the invited address is theirs. */
interface Addressee {
  /** Of a new account. */
  readonly name: string | null;
  /** They know the code that was emailed to the invited address. */
  readonly verified: boolean;
}

/**
 * Accepts invitations (docs/contract.md#accepting-an-invitation). Everything happens under the lock of the
 * organization, which calls that invite, renew and revoke take as well: of two concurrent calls, the second sees
 * what the first did.
 */
@Injectable()
export class AcceptService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly invitations: InvitationViews,
    private readonly locks: AccountLocks,
    private readonly accounts: Accounts,
    private readonly keys: NewMembersKeys,
    private readonly caches: AuthCaches,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @param caller whose key accepts
   * @throws InvitationInvalidError, InvitationExpiredError, EmailMismatchError, EmailNotVerifiedError,
   *   AlreadyMemberError, KeyBoundElsewhereError; KeyScopeError for a key with scopes
   */
  async acceptAsCaller(token: string, caller: Accepting): Promise<Joined> {
    return this.claim(token, (transaction, invitation) => this.joinAs(transaction, invitation, caller));
  }

  /**
   * Like {@link acceptAsCaller}, for people on the page, with their key or signed in with it: if it is bound to another
   * organization, they get a second one for the organization they joined, which expires with the first.
   */
  async acceptWithKey(token: string, caller: Accepting): Promise<JoinedWithKey> {
    return this.claim(token, async (transaction, invitation) => {
      const result = { ...(await this.joinAs(transaction, invitation, caller)), userId: caller.userId };
      if (caller.boundOrgId === null || caller.boundOrgId === result.orgId) return { ...result, key: null };
      const wanted = {
        userId: caller.userId,
        orgId: result.orgId,
        name: KEY_NAME,
        expiresAt: caller.keyExpiresAt,
        addressRanges: caller.addresses?.texts ?? null,
      };
      const { key } = await this.keys.issue(transaction, wanted, result);
      return { ...result, key };
    });
  }

  /**
   * Joins as whose the invited address is; creates an account for it where there is none. Only the emailed code proves that
   * the address is theirs: inviters know the link too, but the code is in a mail of its own, which goes to the address alone, as
   * that of the sign-in page does. So whoever enters it may be signed in to all of an account that is there. Without it, no
   * account that is there joins, and the keys of a new one work in this organization only.
   * @throws AccountExistsError and those of {@link acceptAsCaller}
   */
  async acceptAsAddressee(token: string, addressee: Addressee): Promise<JoinedWithKey> {
    return this.claim(token, async (transaction, invitation) => {
      const { userId, created } = await this.accounts.ensureUser(transaction, {
        email: invitation.email,
        name: addressee.name,
        ...(addressee.verified ? {} : { confinedToOrgId: invitation.orgId }),
      });
      const ownId = created ? userId : await this.accountOf(transaction, userId, addressee);
      await this.join(transaction, invitation, ownId);
      if (ownId === userId && !created) return { ...joined(invitation), key: null, userId };
      // A user who took an account over may be a member elsewhere, and has no other key.
      const wanted = { userId: ownId, orgId: created ? invitation.orgId : null, name: KEY_NAME };
      const { key } = await this.keys.issue(transaction, wanted, invitation);
      return { ...joined(invitation), key, userId: ownId };
    });
  }

  /**
   * The account that joins for who proved an address: the one that is there. The owner of an address gets a new one in place of the one that was created for it with the link alone. Nothing set up
   * there is kept but the memberships: whoever has the link could prepare it.
   * @returns its id
   * @throws AccountExistsError
   */
  private async accountOf(
    transaction: EntityManager,
    userId: string,
    { name, verified }: Addressee,
  ): Promise<string> {
    const user = await this.activeUser(transaction, userId);
    if (!verified || user === null) throw new AccountExistsError();
    if (user.confinedToOrgId === null) return userId;
    await this.keys.revokeAll(transaction, userId);
    return this.accounts.handOver(transaction, userId, name);
  }

  /** Lets `accept` join with an invitation that can be accepted now. */
  private async claim<T>(
    token: string,
    accept: (transaction: EntityManager, invitation: InvitationView) => Promise<T>,
  ): Promise<T> {
    const digest = digestOfToken(token);
    if (digest === null) throw new InvitationInvalidError();
    const result = await this.database.transaction(async (transaction) => {
      await this.lockOrganizationOf(transaction, digest);
      const invitation = await this.invitations.find(digest, transaction);
      if (invitation === null) throw new InvitationInvalidError();
      if (invitation.state === 'expired') throw new InvitationExpiredError();
      if (invitation.state !== 'valid' && invitation.state !== 'member') throw new InvitationInvalidError();
      return accept(transaction, invitation);
    });
    this.caches.clear();
    return result;
  }

  private async joinAs(
    transaction: EntityManager,
    invitation: InvitationView,
    { userId, letInBy, scopes }: Accepting,
  ): Promise<Joined> {
    if (scopes !== null) throw new KeyScopeError([]);
    const user = await this.activeUser(transaction, userId);
    if (user?.email !== invitation.email) throw new EmailMismatchError();
    if (user.confinedToOrgId !== null && user.confinedToOrgId !== invitation.orgId)
      throw new EmailNotVerifiedError();
    // It may be the administrator, who reaches into no other organization of theirs.
    if (letInBy !== null) throw new KeyBoundElsewhereError();
    await this.join(transaction, invitation, userId);
    return joined(invitation);
  }

  /** Makes the user a member and marks the invitation accepted. */
  private async join(transaction: EntityManager, invitation: InvitationView, userId: string): Promise<void> {
    const added = await this.accounts.addMember(transaction, invitation.orgId, userId, invitation.role);
    if (!added) throw new AlreadyMemberError();
    noteOrganization(invitation.orgId);
    noteActor({ userId, orgId: invitation.orgId, session: false });
    await transaction
      .getRepository(Invitation)
      .update({ id: invitation.id }, { status: 'accepted', acceptedAt: () => 'clock_timestamp()' });
    await this.events.publish(transaction, {
      kind: 'invitation.accepted',
      org_id: invitation.orgId,
      invitation_id: invitation.id,
      role: invitation.role,
      user_id: userId,
    });
  }

  /** @throws InvitationInvalidError when the invitation or its organization is gone */
  private async lockOrganizationOf(transaction: EntityManager, tokenDigest: string): Promise<void> {
    const invitation = await transaction
      .getRepository(Invitation)
      .findOne({ where: { tokenDigest }, select: { id: true, orgId: true } });
    if (invitation === null || !(await this.locks.organization(transaction, invitation.orgId)))
      throw new InvitationInvalidError();
  }

  /** @returns null when the user is gone or disabled */
  private async activeUser(transaction: EntityManager, userId: string): Promise<AccountState | null> {
    const user = await this.accounts.findById(transaction, userId);
    return user?.disabledAt === null ? user : null;
  }
}

function joined({ orgId, orgName, role }: InvitationView): Joined {
  return { orgId, orgName, role };
}
