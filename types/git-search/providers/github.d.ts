import type { OpenedCredential } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';
import { type FoundBranch, type FoundRepository, type ProviderApi, type ProviderPage, type WantedBranches, type WantedPage, type WantedRepositories } from './provider-api';
/**
 * GitHub, and GitHub Enterprise Server. Installations are `users/NAME`, the account of the credential with what is shared
 * with it, and `orgs/NAME`.
 */
export declare class GitHub implements ProviderApi {
    base({ host, origin }: URL): URL;
    authorization({ password }: OpenedCredential): string;
    cloneUrl(address: URL, fullName: readonly string[]): string;
    installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>>;
    repositories(api: ProviderSession, { query, installation, size, next }: WantedRepositories): Promise<ProviderPage<FoundRepository>>;
    branches(api: ProviderSession, { repository: parts, query, size, next }: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}
