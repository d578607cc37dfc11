import { DataSource } from 'typeorm';
import { type Owner } from '../common';
import { DomainEvents } from '../domain-events';
import type { GitCredential, GitCredentialCreate, GitCredentialList, GitCredentialUpdate } from './operations/git-credentials.dto';
import { GitCredentialsRepository } from './git-credentials.repository';
/** Git credentials of one owner (docs/contract.md#git-credentials). */
export declare class GitCredentialsService {
    private readonly database;
    private readonly credentials;
    private readonly events;
    constructor(database: DataSource, credentials: GitCredentialsRepository, events: DomainEvents);
    list(owner: Owner): Promise<GitCredentialList>;
    /** @throws GitCredentialExistsError, TooManyGitCredentialsError */
    create(owner: Owner, { url_prefix: address, username, password, git_provider: gitProvider }: GitCredentialCreate): Promise<GitCredential>;
    /**
     * Changes what is said of a credential. A password was given for one host, so it does not follow to another.
     * @throws GitCredentialNotFoundError, GitCredentialExistsError, GitPasswordNeededError
     */
    update(owner: Owner, text: string, given: GitCredentialUpdate): Promise<GitCredential>;
    /** @throws GitCredentialNotFoundError */
    delete(owner: Owner, text: string): Promise<void>;
    private change;
}
