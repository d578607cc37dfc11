import type { EntityManager } from 'typeorm';
/**
 * Locks of the rows that changes elsewhere are serialized by, each held until the transaction ends. A
 * transaction that locks an organization and a user locks the organization first.
 */
export declare class AccountLocks {
    /** @returns false when the organization does not exist */
    organization(transaction: EntityManager, id: string): Promise<boolean>;
    /** @returns false when the user does not exist */
    user(transaction: EntityManager, id: string): Promise<boolean>;
    /** @returns the user's address; null when there is no such organization or user */
    organizationAndUser(transaction: EntityManager, orgId: string, userId: string): Promise<{
        readonly email: string;
    } | null>;
}
