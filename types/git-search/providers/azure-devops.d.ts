import type { OpenedCredential } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';
import { type FoundBranch, type FoundRepository, type ProviderApi, type ProviderPage, type WantedBranches, type WantedPage, type WantedRepositories } from './provider-api';
/**
 * Azure DevOps. The first segment of a credential's address is the organization (or the collection of a server), without
 * which nothing is found; installations are its projects, and full names are `organization/project/repository`.
 */
export declare class AzureDevOps implements ProviderApi {
    base({ origin, pathname }: URL): URL | null;
    authorization({ password }: OpenedCredential): string;
    cloneUrl({ origin }: URL, fullName: readonly string[]): string;
    installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>>;
    repositories(api: ProviderSession, { query, installation, size, next }: WantedRepositories): Promise<ProviderPage<FoundRepository>>;
    branches(api: ProviderSession, { repository: parts, query, size, next }: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}
