import { type EntityManager, Repository } from 'typeorm';
import { type Owner, SecretBox } from '../common';
import { type SealedColumn } from '../database';
import { type CredentialProvider } from './credential-providers';
import { GitCredentialRow } from './git-credential.entity';
/** The column that stores the passwords. */
export declare const SEALED_GIT_PASSWORDS: SealedColumn;
/** A credential without its password; `gitProvider` is what was said, `provider` what holds. */
export type KeptCredential = Omit<GitCredentialRow, 'sealedPassword'> & {
    readonly provider: CredentialProvider | null;
};
/** What of a credential its owner says, without the password. */
export type CredentialFields = Pick<GitCredentialRow, 'urlPrefix' | 'username' | 'gitProvider'>;
/** A credential with its password, in the form that git takes. */
export interface OpenedCredential {
    readonly id: string;
    readonly url_prefix: string;
    readonly username: string;
    readonly password: string;
    readonly provider: CredentialProvider | null;
}
/** Git credentials of users and organizations, with encrypted passwords. */
export declare class GitCredentialsRepository {
    private readonly credentials;
    private readonly box;
    constructor(credentials: Repository<GitCredentialRow>, box: SecretBox);
    /** Serializes changes to an owner's credentials. */
    lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void>;
    /** Ordered by address. */
    of(owners: readonly Owner[], transaction?: EntityManager): Promise<KeptCredential[]>;
    /** With their passwords, the nearest owner's first, ordered by address. */
    opened(owners: readonly Owner[]): Promise<OpenedCredential[]>;
    insert(transaction: EntityManager, owner: Owner, { password, ...fields }: CredentialFields & {
        readonly password: string;
    }): Promise<KeptCredential>;
    /** @param password null where the present one stays */
    update(transaction: EntityManager, { id, urlPrefix, username, gitProvider }: CredentialFields & {
        readonly id: string;
    }, password: string | null): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    private sealed;
}
/** Adds the provider that holds for a credential. */
export declare function known<Row extends Pick<GitCredentialRow, 'urlPrefix' | 'gitProvider'>>(row: Row): Row & {
    readonly provider: CredentialProvider | null;
};
