import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  Actors,
  CredentialVerifiers,
  type Membership,
  type RequestHeaders,
  parseRole,
  type Role,
  SandboxCredentialVerifier,
  type VerifierAnswer,
} from '../../../kernel/auth';
import { Accounts, LastOwnerError, MemberNotFoundError, Members, MembershipService } from '../../orgs';
import type { KeyUserRow } from './key-user.read-model';
import { digestOf, parseUuid } from '../../../kernel/common';
import { isDirectoryToken } from './key-format';
import { KeyIssuer } from './key-issuer';
import { type Holds, StandInKeys } from './stand-in-keys';

/** The organization that a verifier binds a credential to, and the user's role there. */
@Injectable()
export class NamedMemberships {
  private readonly logger = new Logger(NamedMemberships.name);

  constructor(
    private readonly memberships: MembershipService,
    private readonly members: Members,
    private readonly actors: Actors,
  ) {}

  /** What a verifier says of a user in an organization; undefined where they cannot be there what it says, its mistake. */
  async named(userId: string, answer: VerifierAnswer): Promise<NamedMembership | undefined> {
    const { verifier, orgId: named, role: wanted } = answer;
    const orgId = parseUuid(textOf(named));
    const standing = orgId === null ? null : await this.memberships.standingOf(userId, orgId);
    const current = standing?.role ?? null;
    const role = wanted === undefined ? current : parseRole(textOf(wanted));
    if (orgId !== null && current !== null && role !== null)
      return { userId, orgId, newRole: role === current ? null : role };
    this.logger.error(
      { verifier, userId, orgId: named, ...(wanted !== undefined && { role: wanted }) },
      'A credential verifier names an organization that its user is no member of, or no role',
    );
    return undefined;
  }

  /**
   * Gives a member the role that a verifier named, but for the last owner, who stays one.
   * @returns false where they are no member any more
   */
  async settle({ userId, orgId, newRole: role }: NamedMembership): Promise<boolean> {
    if (role === null) return true;
    try {
      await this.members.changeRole(this.actors.service(orgId), userId, role);
    } catch (error) {
      if (error instanceof MemberNotFoundError) return false;
      if (!(error instanceof LastOwnerError)) throw error;
      this.logger.warn(
        { userId, orgId, role },
        'A credential verifier would take the last owner; they stay one',
      );
    }
    return true;
  }
}

/** A user in the organization that a verifier names. */
interface NamedMembership extends Membership {
  /** The role that it names, where they have another one; null leaves the one that they have. */
  readonly newRole: Role | null;
}

/** Extensions may pass on what they have read, whatever it is. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whose tokens of a provider are meant. */
interface OfToken {
  readonly userId: string;
  readonly providerId: string;
  /** Who answers for them, for a service account; null for a person. */
  readonly madeBy: string | null;
}

/** What stands for the tokens of a provider for a user: other than for sessions that it let in, which do not end with them. */
function byToken({ userId, providerId, madeBy }: OfToken): string {
  return [`${userId} by token of ${providerId}`, madeBy === null ? [] : `for ${madeBy}`].flat().join(' ');
}

/** What stands for a credential. */
interface ExternalKey {
  readonly row: KeyUserRow;
  /** The user in the organization that it is bound to; null where it is bound to none. */
  readonly member: NamedMembership | null;
}

/** A token of an identity provider that works. */
export interface RecognizedToken {
  readonly userId: string;
  /** The only organization in which it counts; null for all of its user. */
  readonly orgId: string | null;
  readonly provider: { readonly id: string; readonly name: string };
  /** Who answers for it, which can do no more than they may, for a service account; null for a person. */
  readonly madeBy: string | null;
  /** Null where the provider does not say. */
  readonly expiresAt: Date | null;
  /** Whether it lets its user in still. */
  readonly holds: Holds;
}

/** Recognizes tokens of identity providers. */
export interface TokenRecognizer {
  /**
   * @param headers those of the request that it came with
   * @returns null for what is no token of a provider, or does not work
   * @throws CredentialVerifierUnavailableError; UnauthenticatedError for one that works, of somebody who is not let in
   */
  recognize(credential: string, headers: RequestHeaders): Promise<RecognizedToken | null>;

  /** What of the headers its answer goes by. */
  decisive(headers: RequestHeaders): string;
}

/**
 * Credentials that extensions recognize, and tokens of identity providers. For each user and verifier or provider one {@link
 * StandInKeys stand-in} counts, and one for each organization that they are bound to: what is made with it (a session, a ticket, a
 * key) is bound as well. It outlives the credentials: whatever lasts longer than a request keeps the end of the one that it began
 * with.
 */
@Injectable()
export class ExternalKeys {
  private tokens: TokenRecognizer | null = null;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly verifiers: CredentialVerifiers,
    private readonly sessionKeys: SandboxCredentialVerifier,
    private readonly accounts: Accounts,
    private readonly memberships: NamedMemberships,
    private readonly standIns: StandInKeys,
    private readonly issuer: KeyIssuer,
  ) {}

  /** Has tokens of identity providers recognized. */
  recognizeTokens(tokens: TokenRecognizer): void {
    this.tokens = tokens;
  }

  /** Whether extensions recognize credentials, too. */
  get hasVerifiers(): boolean {
    return !this.verifiers.isEmpty;
  }

  /** What of the headers decides what becomes of a credential: all of them, where extensions see them. */
  decisive(headers: RequestHeaders): string {
    return this.verifiers.isEmpty ? (this.tokens?.decisive(headers) ?? '') : JSON.stringify(headers);
  }

  /**
   * The key that stands for a credential, with its end; null where no verifier or provider knows it, no user has the address, or the
   * user is no member of the organization that the verifier names.
   * @throws CredentialVerifierUnavailableError, UnauthenticatedError
   */
  async find(credential: string, headers: RequestHeaders): Promise<ExternalKey | null> {
    const token = await this.tokens?.recognize(credential, headers);
    return token ? this.ofToken(token) : this.ofVerifier(credential, headers);
  }

  private async ofToken({
    userId,
    orgId,
    provider,
    madeBy,
    expiresAt,
    holds,
  }: RecognizedToken): Promise<ExternalKey | null> {
    const name = `${provider.name}, by token`;
    const standIn = { userId, orgId, name, identityProviderId: provider.id, madeBy, holds };
    const what = byToken({ userId, providerId: provider.id, madeBy });
    const row = await this.standIns.for(what, standIn);
    return row === null ? null : { row: { ...row, expires_at: expiresAt }, member: null };
  }

  /**
   * Ends what began with the tokens of a provider for a user, such as streams; the caller sees to it that the tokens themselves do not
   * work, and clears `AuthCaches` after its transaction.
   */
  async endTokens(transaction: EntityManager, whose: OfToken): Promise<void> {
    await this.issuer.revoke(transaction, { digest: digestOf(byToken(whose)) });
  }

  private async ofVerifier(credential: string, headers: RequestHeaders): Promise<ExternalKey | null> {
    const person = await this.personOf(credential, headers);
    if (person === null) return null;
    const account = await this.accounts.findByEmail(this.database.manager, person.email);
    if (account === null) return null;
    const isBound = person.orgId !== undefined || person.role !== undefined;
    const member = isBound ? await this.memberships.named(account.id, person) : null;
    if (member === undefined) return null;
    const orgId = member?.orgId ?? null;
    // Not the form of a key: as a credential it is given to the verifiers, which do not know it.
    const stand = [person.verifier, account.id, orgId ?? []].flat().join(' ');
    const row = await this.standIns.for(stand, { userId: account.id, orgId, name: person.verifier });
    return row === null ? null : { row: { ...row, expires_at: person.expiresAt }, member };
  }

  /**
   * Changes the role of a member to what a credential that works names.
   * @returns false where it does not work after all: its user is no member any more
   */
  async settle({ member }: ExternalKey): Promise<boolean> {
    return member === null || this.memberships.settle(member);
  }

  /** Extensions are not given the keys of sandboxes and the tokens of directories, which come in the same headers. */
  private async personOf(credential: string, headers: RequestHeaders): Promise<VerifierAnswer | null> {
    if (this.verifiers.isEmpty || isDirectoryToken(credential)) return null;
    if ((await this.sessionKeys.verify(credential)) !== null) return null;
    return this.verifiers.verify(credential, headers);
  }
}
