/** The providers that interfaces name; of those without an API here nothing is found. */
declare const PROVIDERS: readonly ["github", "gitlab", "bitbucket", "bitbucket_data_center", "forgejo", "azure_devops", "enterprise_sso"];
type Provider = (typeof PROVIDERS)[number];
/** Which page of which provider to search. */
export declare class GitSearch {
    provider: Provider;
    page_id?: string;
    limit: number;
}
export declare class GitRepositorySearch extends GitSearch {
    query?: string;
    installation_id?: string;
}
export declare class GitBranchSearch extends GitSearch {
    repository: string;
    query?: string;
}
export declare class GitInstallationPage {
    items: string[];
    next_page_id: string | null;
}
/** A repository that can be chosen for a conversation. */
export declare class GitRepository {
    id: string;
    full_name: string;
    git_provider: Provider;
    is_public: boolean;
    stargazers_count: number | null;
    pushed_at: string | null;
    owner_type: 'user' | 'organization' | null;
    main_branch: string | null;
}
export declare class GitRepositoryPage {
    items: GitRepository[];
    next_page_id: string | null;
}
/** A branch that a conversation can begin at. */
export declare class GitBranch {
    name: string;
    commit_sha: string;
    protected: boolean | null;
    last_push_date: string | null;
}
export declare class GitBranchPage {
    items: GitBranch[];
    next_page_id: string | null;
}
export {};
