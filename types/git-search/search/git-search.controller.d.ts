import { type Caller, type OrgContext } from '../../auth';
import { GitBranchPage, GitBranchSearch, GitInstallationPage, GitRepositoryPage, GitRepositorySearch, GitSearch } from './git-search.dto';
import { GitSearchService } from './git-search.service';
export declare class GitSearchController {
    private readonly searches;
    constructor(searches: GitSearchService);
    searchGitInstallations({ userId }: Caller, { orgId }: OrgContext, search: GitSearch, gone: AbortSignal): Promise<GitInstallationPage>;
    searchGitRepositories({ userId }: Caller, { orgId }: OrgContext, search: GitRepositorySearch, gone: AbortSignal): Promise<GitRepositoryPage>;
    searchGitBranches({ userId }: Caller, { orgId }: OrgContext, search: GitBranchSearch, gone: AbortSignal): Promise<GitBranchPage>;
}
