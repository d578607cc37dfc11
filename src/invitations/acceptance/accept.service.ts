import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { AuthCaches, type Caller, type Role } from '../../auth';
import { Accounts } from '../../orgs';
import { digestOfToken } from '../record/invitation-tokens';
import {
  AddressUnprovedError,
  AlreadyMemberError,
  EmailMismatchError,
  InvitationExpiredError,
  InvitationInvalidError,
} from '../record/invitations.errors';
import { AccountExistsError } from './acceptance.errors';
import { type InvitationView, readInvitation } from './invitation-view';

const KEY_NAME = 'Made when the invitation was accepted';

/** What was joined, and as what. */
export interface Joined {
  readonly orgId: string;
  readonly orgName: string;
  readonly role: Role;
}

/** What was joined, and a key that is shown this once. */
export interface JoinedWithKey extends Joined {
  readonly key: string;
}

/** What counts of a caller who accepts. */
export type Accepting = Pick<Caller, 'userId' | 'boundOrgId' | 'keyExpiresAt'>;

/** Somebody without a key who holds the link of an invitation. */
export interface Newcomer {
  readonly name: string | null;
  /** They know the code that was mailed to the invited address. */
  readonly proved: boolean;
}

/**
 * Accepts invitations (docs/contract.md#accepting-an-invitation). Everything happens under the lock of the
 * organization, which calls that invite, renew and revoke take as well: of two at once, one comes first and
 * the other sees what it did.
 */
@Injectable()
export class AcceptService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly keys: KeyIssuer,
    private readonly caches: AuthCaches,
  ) {}

  /**
   * @param caller whose key accepts
   * @throws InvitationInvalidError, InvitationExpiredError, EmailMismatchError, AddressUnprovedError,
   *   AlreadyMemberError
   */
  async asAccount(token: string, caller: Accepting): Promise<Joined> {
    return this.claim(token, (transaction, invitation) => this.joinAs(transaction, invitation, caller));
  }

  /**
   * Like {@link asAccount}, for people who enter their key on the page: one that works elsewhere only is no
   * use to them in what they joined, so they get another, which lives no longer.
   */
  async asKeyHolder(token: string, caller: Accepting): Promise<Joined & { readonly key: string | null }> {
    return this.claim(token, async (transaction, invitation) => {
      const result = await this.joinAs(transaction, invitation, caller);
      if (caller.boundOrgId === null || caller.boundOrgId === result.orgId) return { ...result, key: null };
      const { key } = await this.keys.issue(transaction, {
        userId: caller.userId,
        orgId: result.orgId,
        name: KEY_NAME,
        expiresAt: caller.keyExpiresAt,
      });
      return { ...result, key };
    });
  }

  /**
   * Makes an account for the invited address. Only the mailed code proves that the address is theirs, since
   * inviters hold the link too; without it, the account's keys work in this organization only.
   * @throws AccountExistsError and those of {@link asAccount}
   */
  async asNewcomer(token: string, newcomer: Newcomer): Promise<JoinedWithKey> {
    return this.claim(token, async (transaction, invitation) => {
      const { userId, created } = await this.accounts.ensureUser(transaction, {
        email: invitation.email,
        name: newcomer.name,
        ...(newcomer.proved ? {} : { confinedToOrgId: invitation.orgId }),
      });
      if (!created) await this.takeOver(transaction, userId, newcomer);
      await this.join(transaction, invitation, userId);
      const { key } = await this.keys.issue(transaction, {
        userId,
        // An account that was taken over may be a member elsewhere, and has no other key.
        orgId: created ? invitation.orgId : null,
        name: KEY_NAME,
      });
      return { ...joined(invitation), key };
    });
  }

  /**
   * The owner of an address gets the account that somebody made for it with no more than a link. Nothing that
   * this somebody set up comes along: neither keys, which would work everywhere from now on, nor settings.
   */
  private async takeOver(
    transaction: EntityManager,
    userId: string,
    { name, proved }: Newcomer,
  ): Promise<void> {
    const user = await userById(transaction, userId);
    if (!proved || user === null || user.confined_to_org_id === null) throw new AccountExistsError();
    await this.keys.revokeAll(transaction, userId);
    await this.accounts.handOver(transaction, userId, name);
  }

  /** Runs what accepts an invitation that can be accepted now, and marks it accepted. */
  private async claim<T>(
    token: string,
    accept: (transaction: EntityManager, invitation: InvitationView) => Promise<T>,
  ): Promise<T> {
    const digest = digestOfToken(token);
    if (digest === null) throw new InvitationInvalidError();
    const result = await this.database.transaction(async (transaction) => {
      await lockOrganizationOf(transaction, digest);
      const invitation = await readInvitation(transaction, digest);
      if (invitation === null) throw new InvitationInvalidError();
      if (invitation.state === 'expired') throw new InvitationExpiredError();
      if (invitation.state !== 'valid' && invitation.state !== 'member') throw new InvitationInvalidError();
      const accepted = await accept(transaction, invitation);
      await transaction.query(
        `UPDATE invitations SET status = 'accepted', accepted_at = clock_timestamp() WHERE id = $1`,
        [invitation.id],
      );
      return accepted;
    });
    this.caches.clear();
    return result;
  }

  private async joinAs(
    transaction: EntityManager,
    invitation: InvitationView,
    { userId }: Accepting,
  ): Promise<Joined> {
    const user = await userById(transaction, userId);
    if (user?.email !== invitation.email) throw new EmailMismatchError();
    if (user.confined_to_org_id !== null && user.confined_to_org_id !== invitation.orgId)
      throw new AddressUnprovedError();
    await this.join(transaction, invitation, userId);
    return joined(invitation);
  }

  private async join(transaction: EntityManager, invitation: InvitationView, userId: string): Promise<void> {
    const added = await this.accounts.addMember(transaction, invitation.orgId, userId, invitation.role);
    if (!added) throw new AlreadyMemberError();
  }
}

/** @throws InvitationInvalidError when the invitation or its organization is gone */
async function lockOrganizationOf(transaction: EntityManager, digest: string): Promise<void> {
  const [row] = await transaction.query<{ org_id: string }[]>(
    'SELECT org_id FROM invitations WHERE token_digest = $1',
    [digest],
  );
  const locked = row
    ? await transaction.query<unknown[]>('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [
        row.org_id,
      ])
    : [];
  if (locked.length === 0) throw new InvitationInvalidError();
}

async function userById(
  transaction: EntityManager,
  userId: string,
): Promise<{ email: string; confined_to_org_id: string | null } | null> {
  const [row] = await transaction.query<{ email: string; confined_to_org_id: string | null }[]>(
    'SELECT email, confined_to_org_id FROM users WHERE id = $1 AND disabled_at IS NULL',
    [userId],
  );
  return row ?? null;
}

function joined({ orgId, orgName, role }: InvitationView): Joined {
  return { orgId, orgName, role };
}
