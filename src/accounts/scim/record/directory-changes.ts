import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuthCaches } from '../../../kernel/auth';
import { AccountLocks } from '../../orgs';

/** Changes of what directories say, and of what follows from it. */
@Injectable()
export class DirectoryChanges {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly locks: AccountLocks,
    private readonly caches: AuthCaches,
  ) {}

  /**
   * Makes a change in a transaction under the lock of the organization, which calls that change its members take as well. The
   * next request on this replica sees it.
   */
  async make<T>(orgId: string, change: (transaction: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.database.transaction(async (transaction) => {
      await this.locks.organization(transaction, orgId);
      return change(transaction);
    });
    this.caches.clear();
    return result;
  }
}
