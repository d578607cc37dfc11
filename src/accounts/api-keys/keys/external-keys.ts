import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CredentialVerifiers, SandboxCredentialVerifier, type VerifiedPerson } from '../../../kernel/auth';
import { Accounts } from '../../orgs';
import { type KeyUserRow, selectKeyUser } from './key-user.read-model';
import { digestOf } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { KeyIssuer } from './key-issuer';

/** Whom a stand-in lets in, and what it is called in their list of keys. */
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
 * Credentials that extensions recognize. For each user and verifier one {@link StandInKeys stand-in} counts. It outlives the
 * credentials: whatever lasts longer than a request keeps the end of the one that it began with.
 */
@Injectable()
export class ExternalKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly verifiers: CredentialVerifiers,
    private readonly sessionKeys: SandboxCredentialVerifier,
    private readonly accounts: Accounts,
    private readonly standIns: StandInKeys,
  ) {}

  /** The key that stands for a credential, with its end; null where no verifier knows it, or no user has the address. */
  async find(credential: string): Promise<KeyUserRow | null> {
    const person = await this.personOf(credential);
    if (person === null) return null;
    const account = await this.accounts.findByEmail(this.database.manager, person.email);
    if (account === null) return null;
    // Not the form of a key: as a credential it is given to the verifiers, which do not know it.
    const stand = `${person.verifier} ${account.id}`;
    const row = await this.standIns.for(stand, { userId: account.id, orgId: null, name: person.verifier });
    return row === null ? null : { ...row, expires_at: person.expiresAt };
  }

  /** Extensions are not given the keys of sandboxes, which come in the same headers. */
  private async personOf(
    credential: string,
  ): Promise<(VerifiedPerson & { readonly verifier: string }) | null> {
    if (this.verifiers.isEmpty || (await this.sessionKeys.verify(credential)) !== null) return null;
    return this.verifiers.verify(credential);
  }
}
