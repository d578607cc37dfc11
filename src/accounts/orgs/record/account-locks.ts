import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Organization } from './organization.entity';
import { lockOrganizationAndUser } from './account-locks.query';
import { User } from './user.entity';

/** Held by one transaction at a time; inserts that reference the row do not wait for it. */
const lock = { mode: 'for_no_key_update' } as const;

/**
 * Locks of the rows that changes elsewhere are serialized by, each held until the transaction ends. A
 * transaction that locks an organization and a user locks the organization first.
 */
@Injectable()
export class AccountLocks {
  /** @returns false when the organization does not exist */
  async organization(transaction: EntityManager, id: string): Promise<boolean> {
    const organizations = transaction.getRepository(Organization);
    return (await organizations.findOne({ where: { id }, select: { id: true }, lock })) !== null;
  }

  /** @returns false when the user does not exist */
  async user(transaction: EntityManager, id: string): Promise<boolean> {
    const users = transaction.getRepository(User);
    return (await users.findOne({ where: { id }, select: { id: true }, lock })) !== null;
  }

  /** @returns the user's address, null for a service account; null when there is no such organization or user */
  async organizationAndUser(
    transaction: EntityManager,
    orgId: string,
    userId: string,
  ): Promise<{ readonly email: string | null } | null> {
    return lockOrganizationAndUser(transaction, orgId, userId);
  }
}
