import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { digestOf } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { KeyIssuer } from './key-issuer';
import { type KeyUserRow, selectKeyUser } from './key-user.read-model';

/** Whom a stand-in lets in, and what it is called in their list of keys. */
export interface StandIn {
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
