import { type EntityManager, Repository } from 'typeorm';
import { type Owner, SecretBox } from '../../common';
import type { ProfileFilter, ProfileStore } from '../record/profiles.service';
import { LlmProfileRow } from './llm-profile.entity';
/** A model profile with its key decrypted. */
export type LlmProfile = Omit<LlmProfileRow, 'sealedApiKey'> & {
    readonly apiKey: string | null;
};
/** Model profiles, with encrypted keys. */
export declare class LlmProfilesRepository implements ProfileStore<LlmProfile> {
    private readonly profiles;
    private readonly box;
    constructor(profiles: Repository<LlmProfileRow>, box: SecretBox);
    lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void>;
    of(owners: readonly Owner[], { name, ...others }?: ProfileFilter, transaction?: EntityManager): Promise<LlmProfile[]>;
    count(transaction: EntityManager, owner: Owner): Promise<number>;
    save(transaction: EntityManager, { apiKey, ...profile }: LlmProfile): Promise<void>;
    /** Makes a profile its owner's active one; null for none. */
    activate(transaction: EntityManager, owner: Owner, id: string | null): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    private rows;
    private opened;
}
