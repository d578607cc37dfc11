import { type EntityManager, type FindOptionsWhere } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { ApiKey } from './api-key.entity';
export interface KeyRequest {
    readonly userId: string;
    /** The organization it is bound to; null for a key that works in all of its user's organizations. */
    readonly orgId: string | null;
    readonly name?: string | null;
    readonly notBefore?: Date | null;
    readonly expiresAt?: Date | null;
    /** Whether it is for another service. */
    readonly isOfService?: boolean;
    /** A well-formed key chosen by the operator, instead of a random one. */
    readonly key?: string;
}
/** A key just issued: the only moment its text is known. */
export interface IssuedKey {
    readonly id: number;
    readonly key: string;
    readonly createdAt: Date;
}
/** Issues and revokes keys; callers check permissions. */
export declare class KeyIssuer {
    private readonly events;
    constructor(events: DomainEvents);
    /** Stores the digest of a key in the caller's transaction (docs/contract.md#key-format). */
    issue(transaction: EntityManager, request: KeyRequest): Promise<IssuedKey>;
    /**
     * Revokes matching keys; the caller clears `AuthCaches` after its transaction.
     * @returns false if none matched
     */
    revoke(transaction: EntityManager, which: FindOptionsWhere<ApiKey>): Promise<boolean>;
}
