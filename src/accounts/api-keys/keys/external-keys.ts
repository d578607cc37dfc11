import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  CredentialVerifiers,
  type RequestHeaders,
  SandboxCredentialVerifier,
  type VerifierAnswer,
} from '../../../kernel/auth';
import { Accounts, MembershipService } from '../../orgs';
import { type KeyUserRow, selectKeyUser } from './key-user.read-model';
import { digestOf, parseUuid } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { KeyIssuer } from './key-issuer';

/** The user of a stand-in key, and its name in their list of keys. */
interface StandIn {
  readonly userId: string;
  readonly orgId: string | null;
  readonly name: string;
}

/**
 * Keys that nobody can send, for who is let in by something else: limits, sessions and the list of keys go by them, as by all
 * other keys. Each is made when it is first needed, and whoever revokes it ends what goes by it.
 */
@Injectable()
export class StandInKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
  ) {}

  /**
   * The key that stands for something.
   * @param what not in the form of a key: as a credential it is none
   * @returns null for a disabled user
   */
  async for(what: string, { userId, orgId, name }: StandIn): Promise<KeyUserRow | null> {
    const known = await selectKeyUser(this.database, digestOf(what));
    if (known !== null) return known;
    const issued = this.database.transaction((transaction) =>
      this.issuer.issue(transaction, { userId, orgId, name, key: what }),
    );
    await issued.catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error; // another request was first
    });
    return selectKeyUser(this.database, digestOf(what));
  }
}

/**
 * Credentials that extensions recognize. For each user and verifier one {@link StandInKeys stand-in} counts, and one for each
 * organization that a verifier binds them to: what is made with it (a session, a ticket, a key) is bound as well. It outlives the
 * credentials: whatever lasts longer than a request keeps the end of the one that it began with.
 */
@Injectable()
export class ExternalKeys {
  private readonly logger = new Logger(ExternalKeys.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly verifiers: CredentialVerifiers,
    private readonly sessionKeys: SandboxCredentialVerifier,
    private readonly accounts: Accounts,
    private readonly members: MembershipService,
    private readonly standIns: StandInKeys,
  ) {}

  /** Whether there is anybody to recognize one. */
  get arePossible(): boolean {
    return !this.verifiers.isEmpty;
  }

  /**
   * The key that stands for a credential, with its end; null where no verifier knows it, no user has the address, or the user is
   * no member of the organization that the verifier names.
   * @throws CredentialVerifierUnavailableError
   */
  async find(credential: string, headers: RequestHeaders): Promise<KeyUserRow | null> {
    const person = await this.personOf(credential, headers);
    if (person === null) return null;
    const account = await this.accounts.findByEmail(this.database.manager, person.email);
    if (account === null) return null;
    const orgId = person.orgId === undefined ? null : await this.boundTo(account.id, person);
    if (orgId === undefined) return null;
    // Not the form of a key: as a credential it is given to the verifiers, which do not know it.
    const stand = [person.verifier, account.id, orgId ?? []].flat().join(' ');
    const row = await this.standIns.for(stand, { userId: account.id, orgId, name: person.verifier });
    return row === null ? null : { ...row, expires_at: person.expiresAt };
  }

  /** Extensions are not given the keys of sandboxes, which come in the same headers. */
  private async personOf(credential: string, headers: RequestHeaders): Promise<VerifierAnswer | null> {
    if (!this.arePossible || (await this.sessionKeys.verify(credential)) !== null) return null;
    return this.verifiers.verify(credential, headers);
  }

  /** The organization that a verifier names; undefined where the user is no member, which is a mistake of the verifier. */
  private async boundTo(
    userId: string,
    { verifier, orgId: text = '' }: VerifierAnswer,
  ): Promise<string | undefined> {
    const orgId = parseUuid(text);
    if (orgId !== null && (await this.members.roleOf(userId, orgId)) !== null) return orgId;
    this.logger.error(
      { verifier, userId, orgId: text },
      'A credential verifier names an organization that its user is no member of',
    );
    return undefined;
  }
}
