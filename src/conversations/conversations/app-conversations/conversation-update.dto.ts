import {
  anything,
  boolean,
  dictionary,
  Field,
  integer,
  list,
  oneOf,
  string,
} from '../../../kernel/validation';
import { GIT_PROVIDERS } from '../record/conversation.enums';
import {
  MAX_BRANCH,
  MAX_PULL_REQUESTS,
  MAX_REPOSITORY,
  MAX_TAGS,
  MAX_TITLE,
  tagsProblem,
} from '../record/text-limits';

const ONLY_AT_START = {
  optional: true,
  nullable: true,
  description: 'Counts at the start only: 400 unless it is what the record has.',
} as const;

/**
 * Fields of start requests that do not change afterwards. Each has a type: generated clients send null for one of any type that
 * nobody has set.
 */
export class StartOnlyFields {
  @Field(string(), ONLY_AT_START)
  conversation_id?: string | null;

  @Field(string(), ONLY_AT_START)
  sandbox_id?: string | null;

  @Field(dictionary(anything()), ONLY_AT_START)
  initial_message?: Record<string, unknown> | null;

  @Field(string(), ONLY_AT_START)
  system_message_suffix?: string | null;

  @Field(list(anything()), ONLY_AT_START)
  processors?: unknown[] | null;

  @Field(string(), ONLY_AT_START)
  llm_model?: string | null;

  @Field(string(), ONLY_AT_START)
  agent_profile_id?: string | null;

  @Field(list(anything()), ONLY_AT_START)
  dependency_repos?: unknown[] | null;

  @Field(dictionary(anything()), ONLY_AT_START)
  suggested_task?: Record<string, unknown> | null;

  @Field(string(), ONLY_AT_START)
  trigger?: string | null;

  @Field(string(), ONLY_AT_START)
  parent_conversation_id?: string | null;

  @Field(string(), ONLY_AT_START)
  agent_type?: string | null;

  @Field(list(anything()), ONLY_AT_START)
  plugins?: unknown[] | null;

  @Field(dictionary(anything()), ONLY_AT_START)
  secrets?: Record<string, unknown> | null;
}

/** Changes to a conversation; absent fields stay as they are. */
export class AppConversationUpdate extends StartOnlyFields {
  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'Whether everybody may read it. Conversations cannot be shared: true is a 400.',
    example: false,
  })
  public?: boolean | null;

  @Field(string({ maxLength: MAX_TITLE }), {
    optional: true,
    nullable: true,
    description: 'New title.',
    example: 'Fix the login',
  })
  title?: string | null;

  @Field(dictionary(anything(), { max: MAX_TAGS, rule: tagsProblem }), {
    optional: true,
    description: 'New tags, in place of all old ones.',
  })
  tags?: Record<string, unknown>;

  @Field(string({ maxLength: MAX_REPOSITORY }), {
    optional: true,
    nullable: true,
    description: 'Repository it works on.',
  })
  selected_repository?: string | null;

  @Field(string({ maxLength: MAX_BRANCH }), {
    optional: true,
    nullable: true,
    description: 'Branch it works on.',
  })
  selected_branch?: string | null;

  @Field(oneOf(GIT_PROVIDERS), { optional: true, nullable: true, description: 'Where the repository is.' })
  git_provider?: (typeof GIT_PROVIDERS)[number] | null;

  @Field(list(integer(), { max: MAX_PULL_REQUESTS }), {
    optional: true,
    description: 'Pull requests it works on.',
  })
  pr_number?: number[];

  @Field(boolean(), { optional: true, nullable: true, description: 'Whether they are merged.' })
  pr_merged?: boolean | null;
}
