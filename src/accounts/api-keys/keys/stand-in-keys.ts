import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { digestOf } from '../../../kernel/common';
import { isReferenceGone, isUniqueViolation } from '../../../kernel/database';
import { AccountLocks, Accounts } from '../../orgs';
import { KeyIssuer } from './key-issuer';
import { type KeyUserRow, selectKeyUser } from './key-user.read-model';

/** The user of a stand-in key, and its name in their list of keys. */
interface StandIn {
  readonly userId: string;
  readonly orgId: string | null;
  readonly name: string;
  /** The provider of identities that lets them in; absent for none. */
  readonly identityProviderId?: string;
  /** Who answers for it, for a service account; null or absent for a person. */
  readonly madeBy?: string | null;
  /** Whether what lets them in still does; absent for what the key itself is the only end of. */
  readonly holds?: Holds;
}

/**
 * Whether what was found before is so still.
 * @param transaction null for now; else, until this ends, what would change it waits
 */
export type Holds = (transaction: EntityManager | null) => Promise<boolean>;

/**
 * Keys that nobody can send, for who is let in by something else: limits, sessions and the list of keys go by them, as by all
 * other keys. Each is made when it is first needed, and whoever revokes it ends what goes by it.
 */
@Injectable()
export class StandInKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
    private readonly locks: AccountLocks,
    private readonly accounts: Accounts,
  ) {}

  /**
   * The key that stands for something. What ends it deletes the key as well: so the key is looked at before what it stands for, and is
   * made only while that cannot end.
   * @param what not in the form of a key: as a credential it is none
   * @returns null for a disabled user, and who is let in no longer
   */
  async for(what: string, standIn: StandIn): Promise<KeyUserRow | null> {
    const known = await selectKeyUser(this.database, digestOf(what));
    if (known === null) await this.make(what, standIn);
    const key = known ?? (await selectKeyUser(this.database, digestOf(what)));
    return key === null || (await standIn.holds?.(null)) === false ? null : key;
  }

  private async make(what: string, { holds, ...standIn }: StandIn): Promise<void> {
    const made = this.database.transaction(async (transaction) => {
      if (!(await this.isThere(transaction, standIn))) throw new EndedMeanwhile();
      await this.issuer.issue(transaction, { ...standIn, key: what });
      if ((await holds?.(transaction)) === false) throw new EndedMeanwhile();
    });
    await made.catch((error: unknown) => {
      if (error instanceof EndedMeanwhile || isReferenceGone(error)) return;
      if (!isUniqueViolation(error)) throw error; // another request was first
    });
  }

  /** Whether the user is in the organization that the key is bound to; while the transaction lasts, nobody leaves it. */
  private async isThere(transaction: EntityManager, { userId, orgId }: StandIn): Promise<boolean> {
    if (orgId === null) return true;
    await this.locks.organization(transaction, orgId);
    return this.accounts.isMember(transaction, orgId, userId);
  }
}

/** Rolls a transaction back; nobody is told. */
class EndedMeanwhile extends Error {}
