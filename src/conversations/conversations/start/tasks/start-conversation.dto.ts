import {
  anything,
  boolean,
  dictionary,
  Field,
  integer,
  list,
  literal,
  model,
  oneOf,
  string,
  uuid,
} from '../../../../kernel/validation';
import { type ContentBlock, contentBlock } from '../../send-message/send-message.dto';
import {
  MAX_BRANCH,
  MAX_MODEL,
  MAX_PLUGINS,
  MAX_PULL_REQUESTS,
  MAX_REPOSITORY,
  MAX_SYSTEM_MESSAGE_SUFFIX,
  MAX_TAGS,
  MAX_TITLE,
  parametersProblem,
  tagsProblem,
} from '../../record/text-limits';
import { AGENT_TYPES, GIT_PROVIDERS, TRIGGERS } from '../../record/conversation.enums';
import { SuggestedTask } from './suggested-task.dto';

const MESSAGE_ROLES = ['user', 'system', 'assistant', 'tool'] as const;

/** The first message of a conversation (docs/contract.md#start-request). */
export class InitialMessage {
  @Field(literal(...MESSAGE_ROLES), { description: 'Only `user` is supported; others are 400.' })
  role: (typeof MESSAGE_ROLES)[number] = 'user';

  @Field(list(contentBlock()), {
    description: 'Text and image blocks.',
    example: [{ type: 'text', text: 'Fix the flaky login test.' }],
  })
  content: ContentBlock[] = [];

  @Field(boolean(), {
    optional: true,
    description: 'Whether the agent runs on it: it does unless this is false.',
  })
  run?: boolean;
}

/** A plugin to load when the conversation starts. */
class PluginReference {
  @Field(string({ maxLength: MAX_REPOSITORY }), {
    description: 'Where it comes from.',
    example: 'github:acme/plugins',
  })
  source!: string;

  @Field(string({ maxLength: MAX_BRANCH }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Branch, tag or commit.',
    example: 'v1',
  })
  ref?: string | null;

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Folder of the repository.',
    example: 'plugins/lint',
  })
  repo_path?: string | null;

  @Field(dictionary(anything(), { rule: parametersProblem }), {
    optional: true,
    nullable: true,
    description: 'Parameters of the plugin.',
  })
  parameters?: Record<string, unknown> | null;
}

/** What a conversation starts with; everything is optional (docs/contract.md#start-request). */
export class AppConversationStartRequest {
  @Field(string(), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'A sandbox of the caller to run in. Default: a new one.',
  })
  sandbox_id?: string | null;

  @Field(uuid(), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Id of the new conversation. Default: random.',
  })
  conversation_id?: string | null;

  @Field(model(() => InitialMessage), { optional: true, nullable: true, description: 'The first message.' })
  initial_message?: InitialMessage | null;

  @Field(string({ maxLength: MAX_SYSTEM_MESSAGE_SUFFIX }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'What is added to the instructions of the agent.',
    example: 'Answer in the language of the question.',
  })
  system_message_suffix?: string | null;

  @Field(list(anything()), {
    optional: true,
    nullable: true,
    description: 'Programs to run on its events. There are none here: any is a 400.',
    example: [],
  })
  processors?: unknown[] | null;

  @Field(string({ maxLength: MAX_MODEL }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Model to run on.',
    example: 'anthropic/claude-sonnet',
  })
  llm_model?: string | null;

  @Field(uuid(), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description:
      'An agent profile of the caller or the organization. Default: the active one of either, in this order.',
  })
  agent_profile_id?: string | null;

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Repository to clone, `owner/repo` or an address.',
    example: 'acme/shop',
  })
  selected_repository?: string | null;

  @Field(string({ maxLength: MAX_BRANCH }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Branch to clone.',
    example: 'main',
  })
  selected_branch?: string | null;

  @Field(oneOf(GIT_PROVIDERS), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Where the repository is.',
    example: 'github',
  })
  git_provider?: (typeof GIT_PROVIDERS)[number] | null;

  @Field(list(string()), {
    optional: true,
    nullable: true,
    description:
      'Repositories to clone beside the selected one. Only that one is cloned here: any other is a 400.',
    example: [],
  })
  dependency_repos?: string[] | null;

  @Field(model(() => SuggestedTask), {
    optional: true,
    nullable: true,
    description:
      'Work on a repository: it makes the first message, and repository, provider and trigger where they are left out.',
  })
  suggested_task?: SuggestedTask | null;

  @Field(string({ maxLength: MAX_TITLE }), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'Title of the conversation.',
    example: 'Fix the login',
  })
  title?: string | null;

  @Field(oneOf(TRIGGERS), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'What starts it.',
    example: 'gui',
  })
  trigger?: (typeof TRIGGERS)[number] | null;

  @Field(list(integer(), { max: MAX_PULL_REQUESTS }), {
    description: 'Pull requests it works on.',
    example: [42],
  })
  pr_number: number[] = [];

  @Field(uuid(), {
    optional: true,
    emptyIsAbsent: true,
    nullable: true,
    description: 'The conversation this one belongs to.',
  })
  parent_conversation_id?: string | null;

  @Field(oneOf(AGENT_TYPES), { emptyIsAbsent: true, description: 'Whether the agent works or only plans.' })
  agent_type: (typeof AGENT_TYPES)[number] = 'default';

  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'Whether everybody may read it. Conversations cannot be shared: true is a 400.',
    example: false,
  })
  public?: boolean | null;

  @Field(
    list(
      model(() => PluginReference),
      { max: MAX_PLUGINS },
    ),
    {
      optional: true,
      nullable: true,
      description: 'Plugins to load.',
    },
  )
  plugins?: PluginReference[] | null;

  @Field(dictionary(string()), {
    optional: true,
    nullable: true,
    description:
      'Secrets the agent may use, by name. Kept encrypted until the conversation runs; never answered.',
    example: { NPM_TOKEN: 'value' },
  })
  secrets?: Record<string, string> | null;

  @Field(dictionary(anything(), { max: MAX_TAGS, rule: tagsProblem }), {
    optional: true,
    nullable: true,
    description: 'Tags of the conversation.',
    example: { team: 'shop' },
  })
  tags?: Record<string, unknown> | null;
}
