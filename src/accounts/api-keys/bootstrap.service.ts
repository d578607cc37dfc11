import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { StartError } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { ADVISORY_LOCKS, lockForTransaction } from '../../kernel/database';
import { Accounts } from '../orgs';
import { isWellFormedKey } from './keys/key-format';
import { KeyIssuer } from './keys/key-issuer';

/** What the first start created. */
export interface Bootstrapped {
  readonly userId: string;
  readonly email: string;
  readonly orgId: string;
  readonly orgName: string;
  /** Shown once, never logged. */
  readonly key: string;
}

/** Creates the first user, organization and key of an empty installation (docs/contract.md#first-start). */
@Injectable()
export class BootstrapService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly keys: KeyIssuer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Does nothing if there is a user already. When several replicas start together, one does it.
   * @returns what was created, or null
   * @throws StartError if `BOOTSTRAP_KEY` is not a well-formed key
   */
  async bootstrap(): Promise<Bootstrapped | null> {
    const { BOOTSTRAP_EMAIL, BOOTSTRAP_ORG, BOOTSTRAP_KEY } = this.settings;
    if (BOOTSTRAP_KEY !== undefined && !isWellFormedKey(BOOTSTRAP_KEY))
      throw new StartError(
        'BOOTSTRAP_KEY is not a key: it must be ocs_, 32 letters or digits, and their 6-character checksum.',
      );
    return this.database.transaction(async (transaction) => {
      await lockForTransaction(transaction, ADVISORY_LOCKS.bootstrap);
      if (await this.accounts.anyUserExists(transaction)) return null;
      const { userId, email } = await this.accounts.ensureUser(transaction, { email: BOOTSTRAP_EMAIL });
      const orgId = await this.accounts.createOrganization(transaction, BOOTSTRAP_ORG);
      await this.accounts.addMember(transaction, orgId, userId, 'owner');
      const { key } = await this.keys.issue(transaction, {
        userId,
        orgId,
        name: 'First key',
        ...(BOOTSTRAP_KEY !== undefined && { key: BOOTSTRAP_KEY }),
      });
      return { userId, email, orgId, orgName: BOOTSTRAP_ORG, key };
    });
  }
}
