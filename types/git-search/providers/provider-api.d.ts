import type { OpenedCredential } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';
/** A repository as all providers have it. */
export interface FoundRepository {
    readonly id: string;
    /** What a conversation is started with: `owner/repo`, or as many parts as the provider has. */
    readonly full_name: string;
    readonly is_public: boolean;
    readonly stargazers_count: number | null;
    readonly pushed_at: string | null;
    readonly owner_type: 'user' | 'organization' | null;
    readonly main_branch: string | null;
}
/** A branch as all providers have it; what a provider does not tell is null. */
export interface FoundBranch {
    readonly name: string;
    readonly commit_sha: string;
    readonly protected: boolean | null;
    readonly last_push_date: string | null;
}
/** Which page of a provider's list: `next` is what the page before said, null for the first one. */
export interface WantedPage {
    readonly size: number;
    readonly next: string | null;
}
export interface WantedRepositories extends WantedPage {
    readonly query: string | null;
    readonly installation: string | null;
}
export interface WantedBranches extends WantedPage {
    /** The parts of the repository's full name. */
    readonly repository: readonly string[];
    readonly query: string | null;
}
/** A page of a provider: at most as many as were wanted, and how the next one is asked for. */
export interface ProviderPage<T> {
    readonly items: readonly T[];
    readonly next: string | null;
}
export declare const NOTHING: ProviderPage<never>;
/** The API of a provider, as far as it is searched. What does not exist there is an empty page. */
export interface ProviderApi {
    /** What the paths of the API begin with; null where an address does not say enough. */
    base(address: URL): URL | null;
    /** The header that identifies the holder of a credential. */
    authorization(credential: OpenedCredential): string;
    /** Below what address a repository is cloned. */
    cloneUrl(address: URL, fullName: readonly string[]): string;
    /** Owners of repositories: accounts, organizations, workspaces, groups or projects. */
    installations(api: ProviderSession, page: WantedPage): Promise<ProviderPage<string>>;
    repositories(api: ProviderSession, wanted: WantedRepositories): Promise<ProviderPage<FoundRepository>>;
    /** @returns null where there is no such repository */
    branches(api: ProviderSession, wanted: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}
/** Where most providers have the files of a repository. */
export declare function plainCloneUrl({ origin }: URL, fullName: readonly string[]): string;
/** Basic authentication. */
export declare function basic(name: string, password: string): string;
