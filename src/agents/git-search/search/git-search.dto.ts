import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { boolean, Field, integer, list, model, oneOf, string } from '../../../kernel/validation';

/** The providers that interfaces name; of those without an API here nothing is found. */
const PROVIDERS = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_data_center',
  'forgejo',
  'azure_devops',
  'enterprise_sso',
] as const;

type Provider = (typeof PROVIDERS)[number];

const MAX_QUERY = 200;
const MAX_NAME = 512;

/** Which page of which provider to search. */
export class GitSearch {
  @Field(oneOf(PROVIDERS), { description: 'Whose API is asked.', example: 'github' })
  provider!: Provider;

  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before, of the same search.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 30;
}

export class GitRepositorySearch extends GitSearch {
  @Field(string({ trim: true, maxLength: MAX_QUERY }), {
    optional: true,
    description: 'Part of the name, or `owner/name`.',
    example: 'website',
  })
  query?: string;

  @Field(string({ maxLength: MAX_NAME }), {
    optional: true,
    description: 'Only of this owner: one that the search of installations answers.',
    example: 'orgs/acme',
  })
  installation_id?: string;
}

export class GitBranchSearch extends GitSearch {
  @Field(string({ trim: true, maxLength: MAX_NAME, rule: repositoryProblem }), {
    description: 'The full name of the repository.',
    example: 'acme/website',
  })
  repository!: string;

  @Field(string({ trim: true, maxLength: MAX_QUERY }), {
    optional: true,
    description: 'Part of the name; of GitHub its beginning.',
    example: 'release',
  })
  query?: string;
}

function repositoryProblem(text: string): string | null {
  return /^[^/]+(\/[^/]+)+$/.test(text) ? null : 'a repository is named owner/name';
}

export class GitInstallationPage {
  @Field(list(string()), {
    description: 'Owners of repositories: accounts, organizations, workspaces, groups or projects.',
    example: ['orgs/acme'],
  })
  items!: string[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

/** A repository that can be chosen for a conversation. */
export class GitRepository {
  @Field(string(), { description: 'Its id at the provider.', example: '1296269' })
  id!: string;

  @Field(string(), { description: 'As `selected_repository` takes it.', example: 'acme/website' })
  full_name!: string;

  @Field(oneOf(PROVIDERS), { description: 'Whose it is.', example: 'github' })
  git_provider!: Provider;

  @Field(boolean(), { description: 'Whether everybody sees it.', example: false })
  is_public!: boolean;

  @Field(integer(), {
    nullable: true,
    description: 'How many like it; null where nobody counts.',
    example: 3,
  })
  stargazers_count!: number | null;

  @Field(string(), {
    nullable: true,
    description: 'When it was last changed, as the provider says it.',
    example: '2026-11-21T10:00:00Z',
  })
  pushed_at!: string | null;

  @Field(oneOf(['user', 'organization']), {
    nullable: true,
    description: 'Whose it is there; null where the provider does not say.',
    example: 'organization',
  })
  owner_type!: 'user' | 'organization' | null;

  @Field(string(), { nullable: true, description: 'Its default branch; null without one.', example: 'main' })
  main_branch!: string | null;
}

export class GitRepositoryPage {
  @Field(list(model(() => GitRepository)), { description: 'Repositories in the order of the provider.' })
  items!: GitRepository[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

/** A branch that a conversation can begin at. */
export class GitBranch {
  @Field(string(), { description: 'Its name.', example: 'main' })
  name!: string;

  @Field(string(), { description: 'Its newest commit.', example: '6dcb09b5b57875f334f61aebed695e2e4193db5e' })
  commit_sha!: string;

  @Field(boolean(), { nullable: true, description: 'Whether it is protected; null where nobody says.' })
  protected!: boolean | null;

  @Field(string(), { nullable: true, description: 'Time of that commit; null where nobody says.' })
  last_push_date!: string | null;
}

export class GitBranchPage {
  @Field(list(model(() => GitBranch)), { description: 'Branches in the order of the provider.' })
  items!: GitBranch[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}
