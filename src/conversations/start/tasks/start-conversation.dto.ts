import {
  anything,
  boolean,
  commaList,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  literal,
  model,
  oneOf,
  string,
  uuid,
} from '../../../validation';
import { type ContentBlock, contentBlock } from '../../send-message/content-blocks.dto';
import { START_TASK_STATUSES, type StartTaskStatus } from '../../start-tasks/start-task-status';
import {
  MAX_BRANCH,
  MAX_MODEL,
  MAX_PLUGINS,
  MAX_PULL_REQUESTS,
  MAX_REPOSITORY,
  MAX_TAGS,
  MAX_TITLE,
  parametersProblem,
  tagsProblem,
} from '../../record/text-limits';
import { AGENT_TYPES, GIT_PROVIDERS, TRIGGERS } from '../../record/conversation.enums';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';
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
export class PluginReference {
  @Field(string({ maxLength: MAX_REPOSITORY }), {
    description: 'Where it comes from.',
    example: 'github:acme/plugins',
  })
  source!: string;

  @Field(string({ maxLength: MAX_BRANCH }), {
    optional: true,
    nullable: true,
    description: 'Branch, tag or commit.',
    example: 'v1',
  })
  ref?: string | null;

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    optional: true,
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
    nullable: true,
    description: 'A sandbox of the caller to run in. Default: a new one.',
  })
  sandbox_id?: string | null;

  @Field(uuid(), {
    optional: true,
    nullable: true,
    description: 'Id of the new conversation. Default: random.',
  })
  conversation_id?: string | null;

  @Field(model(() => InitialMessage), { optional: true, nullable: true, description: 'The first message.' })
  initial_message?: InitialMessage | null;

  @Field(string({ maxLength: MAX_MODEL }), {
    optional: true,
    nullable: true,
    description: 'Model to run on.',
    example: 'anthropic/claude-sonnet',
  })
  llm_model?: string | null;

  @Field(uuid(), {
    optional: true,
    nullable: true,
    description: 'An agent profile of the caller. Default: the active one.',
  })
  agent_profile_id?: string | null;

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    optional: true,
    nullable: true,
    description: 'Repository to clone, `owner/repo` or an address.',
    example: 'acme/shop',
  })
  selected_repository?: string | null;

  @Field(string({ maxLength: MAX_BRANCH }), {
    optional: true,
    nullable: true,
    description: 'Branch to clone.',
    example: 'main',
  })
  selected_branch?: string | null;

  @Field(oneOf(GIT_PROVIDERS), {
    optional: true,
    nullable: true,
    description: 'Where the repository is.',
    example: 'github',
  })
  git_provider?: (typeof GIT_PROVIDERS)[number] | null;

  @Field(string({ maxLength: MAX_TITLE }), {
    optional: true,
    nullable: true,
    description: 'Title of the conversation.',
    example: 'Fix the login',
  })
  title?: string | null;

  @Field(oneOf(TRIGGERS), { optional: true, nullable: true, description: 'What starts it.', example: 'gui' })
  trigger?: (typeof TRIGGERS)[number] | null;

  @Field(list(integer(), { max: MAX_PULL_REQUESTS }), {
    description: 'Pull requests it works on.',
    example: [42],
  })
  pr_number: number[] = [];

  @Field(uuid(), { optional: true, nullable: true, description: 'The conversation this one belongs to.' })
  parent_conversation_id?: string | null;

  @Field(oneOf(AGENT_TYPES), { description: 'Whether the agent works or only plans.' })
  agent_type: (typeof AGENT_TYPES)[number] = 'default';

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

/** The start of a conversation, as it goes on (docs/contract.md#start-tasks). */
export class AppConversationStartTask {
  @Field(uuid(), { description: 'Id of the task.', example: id })
  id!: string;

  @Field(uuid(), { description: 'Who started the conversation.', example: id })
  created_by_user_id!: string;

  @Field(oneOf(START_TASK_STATUSES), {
    description: 'The stage it is in; READY and ERROR are its ends.',
    example: 'WORKING',
  })
  status!: StartTaskStatus;

  @Field(string(), { nullable: true, description: 'Why it failed, or what it had to leave out.' })
  detail!: string | null;

  @Field(uuid(), { nullable: true, description: 'The conversation, once it is READY.' })
  app_conversation_id!: string | null;

  @Field(uuid(), { nullable: true, description: 'The sandbox it runs in.' })
  sandbox_id!: string | null;

  @Field(string(), { nullable: true, description: 'The agent server of that sandbox, once it answers.' })
  agent_server_url!: string | null;

  @Field(dictionary(anything()), { description: 'The request, without the values of its secrets.' })
  request!: Record<string, unknown>;

  @Field(dateTime(), { description: 'When it was asked for.', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;

  @Field(dateTime(), { description: 'When the task last changed.', example: '2026-01-02T03:04:05.678Z' })
  updated_at!: string;
}

/** A page of start tasks. */
export class AppConversationStartTaskPage {
  @Field(list(model(() => AppConversationStartTask)), { description: 'The tasks of the page.' })
  items!: AppConversationStartTask[];

  @Field(string(), { nullable: true, description: 'What to pass as `page_id` for the next page.' })
  next_page_id!: string | null;
}

/** Which start tasks to list. */
export class StartTaskSearch {
  @Field(string(), { optional: true, description: 'The task of this conversation.', example: id })
  conversation_id__eq?: string;

  @Field(string(), { optional: true, description: '`next_page_id` of the page before.', example: id })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Items of a page; above 100 counts as 100.' })
  limit = 100;
}

/** `?ids=` of start tasks. */
export class StartTaskIdsQuery {
  @Field(commaList(string()), {
    description: 'Ids, repeated or separated by commas; at most 100 are read.',
    example: [id],
  })
  ids: string[] = [];
}
