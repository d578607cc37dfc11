import type { EntityManager } from 'typeorm';
import type { Role } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { User } from '../record/user.entity';
/** A user as found or created. */
export interface Account {
    readonly userId: string;
    readonly email: string;
    /** False when the address was known already. */
    readonly created: boolean;
}
export interface NewUser {
    /** In any case; kept in lower case. */
    readonly email: string;
    readonly name?: string | null;
    /**
     * While the address is unverified: the organization the user's keys work in
     * (docs/contract.md#accepting-an-invitation).
     */
    readonly confinedToOrgId?: string;
}
/** What other modules ask about a user. */
export type AccountState = Pick<User, 'id' | 'email' | 'confinedToOrgId' | 'disabledAt'>;
/**
 * Reads and writes users, organizations and members for other modules: first start, command line, acceptance
 * of invitations. Callers pass their transaction and clear `AuthCaches` after it.
 */
export declare class Accounts {
    private readonly events;
    constructor(events: DomainEvents);
    /** True when there is any user at all. */
    anyUserExists(transaction: EntityManager): Promise<boolean>;
    organizationExists(transaction: EntityManager, id: string): Promise<boolean>;
    isMember(transaction: EntityManager, orgId: string, userId: string): Promise<boolean>;
    findById(transaction: EntityManager, id: string): Promise<AccountState | null>;
    /** @param email in lower case */
    findByEmail(transaction: EntityManager, email: string): Promise<AccountState | null>;
    /** The user with this address; created when there is none, left unchanged otherwise. */
    ensureUser(transaction: EntityManager, user: NewUser): Promise<Account>;
    /**
     * @param id chosen by the caller, else a new one
     * @returns the organization's id
     */
    createOrganization(transaction: EntityManager, name: string, id?: string): Promise<string>;
    /**
     * Makes a user a member; the organization becomes current for who has no current one, or one they left.
     * @returns false when they were a member already, whose role is left as it is
     */
    addMember(transaction: EntityManager, orgId: string, userId: string, role: Role): Promise<boolean>;
    /**
     * Ends all keys of a user. Who is disabled already stays disabled since the first time.
     * @param email in lower case
     * @returns null when there is no such user
     */
    disable(transaction: EntityManager, email: string): Promise<{
        readonly userId: string;
        readonly disabledAt: Date;
    } | null>;
    /**
     * Gives an account whose address was unverified to the person who verified it: it works everywhere from now on,
     * without the personal settings saved before. Keys issued before are the caller's to revoke.
     */
    handOver(transaction: EntityManager, userId: string, name: string | null): Promise<void>;
    /** Deletes the personal settings, those of single organizations as well. */
    private forgetSettings;
}
