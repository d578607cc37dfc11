import { Field, integer, oneOf, string } from '../../../../kernel/validation';
import { GIT_PROVIDERS, SUGGESTED_TASKS } from '../../record/conversation.enums';
import { MAX_REPOSITORY, MAX_TITLE } from '../../record/text-limits';

/** Work that waits in a repository (docs/contract.md#start-request). */
export class SuggestedTask {
  @Field(oneOf(GIT_PROVIDERS), { description: 'Where the repository is.', example: 'github' })
  git_provider!: (typeof GIT_PROVIDERS)[number];

  @Field(oneOf(SUGGESTED_TASKS), { description: 'What there is to do.', example: 'OPEN_ISSUE' })
  task_type!: (typeof SUGGESTED_TASKS)[number];

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    description: 'The repository, `owner/repo` or an address.',
    example: 'acme/shop',
  })
  repo!: string;

  @Field(integer(), { description: 'Number of the issue or the pull request.', example: 42 })
  issue_number!: number;

  @Field(string({ maxLength: MAX_TITLE }), {
    description: 'Its title.',
    example: 'The login fails now and then',
  })
  title!: string;
}
