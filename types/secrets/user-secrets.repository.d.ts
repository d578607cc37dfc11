import { type EntityManager, Repository } from 'typeorm';
import { type Person, SecretBox } from '../common';
import { type SealedColumn } from '../database';
import { UserSecret } from './user-secret.entity';
/** The column that stores the values. */
export declare const SEALED_USER_SECRETS: SealedColumn;
/** A secret without its value. */
export type SecretWithoutValue = Pick<UserSecret, 'id' | 'userId' | 'orgId' | 'name' | 'description'>;
/** Users' secrets, with encrypted values. */
export declare class UserSecretsRepository {
    private readonly secrets;
    private readonly box;
    constructor(secrets: Repository<UserSecret>, box: SecretBox);
    /** Serializes changes to a user's secrets. */
    lock(transaction: EntityManager, userId: string): Promise<void>;
    /**
     * The secrets that apply to a user in an organization, ordered by name; the organization's own hide those of all
     * organizations.
     */
    ofPerson(person: Person, transaction?: EntityManager): Promise<SecretWithoutValue[]>;
    /** The same with their values. */
    opened(person: Person): Promise<Readonly<Record<string, string>>>;
    /** The value of one secret. @returns null if there is none of this name */
    value(person: Person, name: string): Promise<string | null>;
    count(transaction: EntityManager, owner: Pick<UserSecret, 'userId' | 'orgId'>): Promise<number>;
    isThere(transaction: EntityManager, { userId, orgId, name }: Pick<UserSecret, 'userId' | 'orgId' | 'name'>): Promise<boolean>;
    insert(transaction: EntityManager, { value, ...secret }: Omit<SecretWithoutValue, 'id'> & {
        readonly value: string;
    }): Promise<void>;
    /** @param change leaves the value as it is if it has none */
    update(transaction: EntityManager, id: string, { value, ...change }: Pick<SecretWithoutValue, 'name' | 'description'> & {
        readonly value?: string;
    }): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    private rows;
    private seal;
    private valueOf;
}
