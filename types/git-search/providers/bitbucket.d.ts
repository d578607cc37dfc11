import type { OpenedCredential } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';
import { type FoundBranch, type FoundRepository, type ProviderApi, type ProviderPage, type WantedBranches, type WantedPage, type WantedRepositories } from './provider-api';
/** Bitbucket Cloud. Installations are workspaces: there is no list of the repositories of all of them. */
export declare class Bitbucket implements ProviderApi {
    base({ host, origin }: URL): URL;
    authorization({ username, password }: OpenedCredential): string;
    cloneUrl(address: URL, fullName: readonly string[]): string;
    installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>>;
    repositories(api: ProviderSession, { query, installation, size, next }: WantedRepositories): Promise<ProviderPage<FoundRepository>>;
    branches(api: ProviderSession, { repository: parts, query, size, next }: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}
