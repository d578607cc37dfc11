import { applyDecorators, Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  personOf,
} from '../../../kernel/auth';
import { ApiErrors, ClientAbortSignal, ToPutIn } from '../../../kernel/http';
import {
  GitCredentialRefusedError,
  GitHostRefusedError,
  GitProviderFailedError,
  GitProviderUnavailableError,
  GitRepositoryNotFoundError,
  TooManyGitSearchesError,
} from '../provider-calls/provider-answer';
import {
  GitBranchPage,
  GitBranchSearch,
  GitInstallationPage,
  GitRepositoryPage,
  GitRepositorySearch,
  GitSearch,
} from './git-search.dto';
import { GitSearchService } from './git-search.service';

/** What every search may answer. */
const SearchErrors = () =>
  applyDecorators(
    ApiErrors(
      {
        400: 'The page is not one of this search.',
        409: 'The provider refuses the credential, or its host may not be called.',
        429: 'As many searches run as may run at once.',
        503: 'The provider does not answer now, or not as its API does.',
      },
      new GitCredentialRefusedError(),
      new GitHostRefusedError('the host git.example.com is not at a public address'),
      new TooManyGitSearchesError(),
      new GitProviderUnavailableError(),
      new GitProviderFailedError('its answer is no JSON'),
    ),
  );

const TOKEN =
  'Put in a provider for which there is a token that works: store yours with POST /api/v1/git/credentials.';

@ApiTags('Git')
@Access({ org: 'effective', scope: 'use_conversations' })
@Controller('api/v1/git')
export class GitSearchController {
  constructor(private readonly searches: GitSearchService) {}

  @Get('installations/search')
  @ToPutIn(TOKEN)
  @SearchErrors()
  @ApiOperation({
    summary: 'Search owners of repositories',
    description:
      'With your git credentials and those of the organization. Empty without one for the provider.',
  })
  @ApiOkResponse({ type: GitInstallationPage, description: 'One page.' })
  searchGitInstallations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() search: GitSearch,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<GitInstallationPage> {
    return this.searches.installations({ ...personOf(caller, org), gone }, search);
  }

  @Get('repositories/search')
  @ToPutIn(TOKEN)
  @SearchErrors()
  @ApiOperation({
    summary: 'Search repositories',
    description:
      'Those that your git credentials and those of the organization reach, as the provider lists them.',
  })
  @ApiOkResponse({ type: GitRepositoryPage, description: 'One page; it may have less than `limit`.' })
  searchGitRepositories(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() search: GitRepositorySearch,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<GitRepositoryPage> {
    return this.searches.repositories({ ...personOf(caller, org), gone }, search);
  }

  @Get('branches/search')
  @ToPutIn(TOKEN)
  @SearchErrors()
  @ApiErrors({ 404: 'There is no such repository for the credential.' }, new GitRepositoryNotFoundError())
  @ApiOperation({
    summary: 'Search branches of a repository',
    description: 'With the git credential that the repository would be cloned with. Empty without one.',
  })
  @ApiOkResponse({ type: GitBranchPage, description: 'One page; it may have less than `limit`.' })
  searchGitBranches(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() search: GitBranchSearch,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<GitBranchPage> {
    return this.searches.branches({ ...personOf(caller, org), gone }, search);
  }
}
