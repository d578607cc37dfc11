import { type Page, type Person, SecretBox } from '../../common';
import { ProviderCredentials } from '../../git-credentials';
import { ProviderSessions } from '../provider-calls/provider-sessions';
import type { GitBranch, GitBranchSearch, GitRepository, GitRepositorySearch, GitSearch } from './git-search.dto';
/** Who searches, and the signal that nobody waits any more. */
export interface Searcher extends Person {
    readonly gone: AbortSignal;
}
/** Searches providers with the git credentials of a person (docs/contract.md#git-searches). */
export declare class GitSearchService {
    private readonly credentials;
    private readonly sessions;
    private readonly cursors;
    private readonly slots;
    constructor(credentials: ProviderCredentials, sessions: ProviderSessions, box: SecretBox);
    /** Owners of repositories. */
    installations(searcher: Searcher, search: GitSearch): Promise<Page<string>>;
    /** Those that a credential would clone itself, so that none is found with two. */
    repositories(searcher: Searcher, search: GitRepositorySearch): Promise<Page<GitRepository>>;
    /** @throws GitRepositoryNotFoundError */
    branches(searcher: Searcher, search: GitBranchSearch): Promise<Page<GitBranch>>;
    private placeOf;
    private find;
}
