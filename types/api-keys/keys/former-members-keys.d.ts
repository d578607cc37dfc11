import type { EntityManager } from 'typeorm';
import { type DomainEventOf } from '../../domain-events';
import { KeyIssuer } from './key-issuer';
/** Revokes the keys bound to an organization when the membership ends: a new membership does not restore them. */
export declare class FormerMembersKeys {
    private readonly keys;
    constructor(keys: KeyIssuer);
    revoke({ org_id, user_id }: DomainEventOf<'member.removed'>, transaction: EntityManager): Promise<void>;
}
