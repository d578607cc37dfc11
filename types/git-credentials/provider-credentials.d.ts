import { type Person } from '../common';
import { type CredentialProvider } from './credential-providers';
import { GitCredentialsRepository, type OpenedCredential } from './git-credentials.repository';
/**
 * Which host a provider has for a person, and with what it is searched (docs/contract.md#git-searches). The nearest of
 * their credentials for a provider says where it is: `owner/repo` can mean one place only.
 */
export declare class ProviderCredentials {
    private readonly credentials;
    constructor(credentials: GitCredentialsRepository);
    /** Each provider that there is a credential for, with its host; null for its public one. */
    hosts(person: Person): Promise<Partial<Record<CredentialProvider, string | null>>>;
    /** @returns scheme and host of a provider, or null where the person has no credential for it */
    originOf(person: Person, provider: string): Promise<string | null>;
    /** The credentials for a provider at its host, the nearest first. */
    forSearch(person: Person, provider: CredentialProvider): Promise<readonly OpenedCredential[]>;
    private addresses;
}
