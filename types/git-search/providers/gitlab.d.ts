import type { OpenedCredential } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';
import { type FoundBranch, type FoundRepository, type ProviderApi, type ProviderPage, type WantedBranches, type WantedPage, type WantedRepositories } from './provider-api';
/** GitLab, of the public host and others. Installations are groups. */
export declare class GitLab implements ProviderApi {
    base({ origin }: URL): URL;
    authorization({ password }: OpenedCredential): string;
    cloneUrl(address: URL, fullName: readonly string[]): string;
    installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>>;
    repositories(api: ProviderSession, { query, installation, size, next }: WantedRepositories): Promise<ProviderPage<FoundRepository>>;
    branches(api: ProviderSession, { repository, query, size, next }: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}
