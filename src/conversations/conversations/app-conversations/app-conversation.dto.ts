import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import {
  anything,
  boolean,
  commaList,
  dateTime,
  dictionary,
  type ExampleSource,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { TAGS_FILTER, tagsFilter } from '../listed/tags-filter';
import { ConversationMetrics } from './conversation-metrics.dto';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

/** The caller's latest conversation. */
export const LATEST_CONVERSATION: ExampleSource = {
  get: '/api/v1/app-conversations/search?limit=1',
  list: 'items',
  value: 'id',
  none: 'You have no conversation yet: start one with POST /api/v1/app-conversations.',
};

/** `{id}` of the operations on a conversation's record. */
export class AppConversationPath {
  @Field(uuid(), { description: 'Id of the conversation.', example: id, exampleFrom: LATEST_CONVERSATION })
  id!: string;
}

/** Query of the deletion of a conversation. */
export class DeletionQuery {
  @Field(oneOf(['now', 'lifted']), {
    description: '`lifted`: under a legal hold it is deleted once that is lifted; `now`: it is refused then.',
    example: 'now',
  })
  when: 'now' | 'lifted' = 'now';
}

/** `{conversation_id}` of paths that name a conversation. */
export class ConversationPath {
  @Field(uuid(), { description: 'Id of the conversation.', example: id, exampleFrom: LATEST_CONVERSATION })
  conversation_id!: string;
}

/** Where the agent of a conversation works. */
class ConversationWorkspace {
  @Field(string(), {
    description: 'The folder, inside the sandbox.',
    example: '/srv/sandboxes/7b1f9f864d0c4a3e9d1b0a4f6c1f2e11/shop',
  })
  working_dir!: string;
}

/** The agent profile that a conversation was started with. */
export class LaunchedAgentProfile {
  @Field(uuid(), { description: 'Id of the profile.', example: id })
  agent_profile_id!: string;

  @Field(integer(), { description: 'Which of its changes it was.', example: 1 })
  revision!: number;
}

/** A conversation, as its creator sees it. */
export class AppConversation {
  @Field(uuid(), { description: 'Id of the conversation.', example: id })
  id!: string;

  @Field(uuid(), { description: 'Who started it.', example: id })
  created_by_user_id!: string;

  @Field(uuid(), { nullable: true, description: 'The sandbox it runs in.' })
  sandbox_id!: string | null;

  @Field(string(), { nullable: true, description: 'Repository it works on.', example: 'acme/shop' })
  selected_repository!: string | null;

  @Field(string(), { nullable: true, description: 'Branch it works on.', example: 'main' })
  selected_branch!: string | null;

  @Field(string(), { nullable: true, description: 'Where the repository is.', example: 'github' })
  git_provider!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'Title of the conversation.',
    example: 'Fix the flaky login test',
  })
  title!: string | null;

  @Field(string(), { nullable: true, description: 'What started it.', example: 'gui' })
  trigger!: string | null;

  @Field(list(integer()), { description: 'Pull requests it works on.', example: [42] })
  pr_number!: number[];

  @Field(boolean(), { nullable: true, description: 'Whether they are merged.' })
  pr_merged!: boolean | null;

  @Field(string(), { nullable: true, description: 'Model it runs on.', example: 'anthropic/claude-sonnet' })
  llm_model!: string | null;

  @Field(string(), { description: 'Kind of agent that works in it.', example: 'openhands' })
  agent_kind!: string;

  @Field(model(() => ConversationMetrics), { description: 'Tokens and cost so far.' })
  metrics!: ConversationMetrics;

  @Field(boolean(), {
    description: 'Always false: conversations are not shared with the public.',
    example: false,
  })
  public!: boolean;

  @Field(string(), {
    nullable: true,
    description:
      'Provider of an agent that is run by another protocol: always null, since none is started here.',
    example: null,
  })
  acp_server!: string | null;

  @Field(model(() => LaunchedAgentProfile), {
    nullable: true,
    description: 'The agent profile it was started with; null without one.',
  })
  launched_agent_profile!: LaunchedAgentProfile | null;

  @Field(uuid(), { nullable: true, description: 'The conversation this one belongs to.' })
  parent_conversation_id!: string | null;

  @Field(list(uuid()), { description: 'Conversations that belong to this one.', example: [] })
  sub_conversation_ids!: string[];

  @Field(dictionary(anything()), { description: 'Tags of the caller’s choosing.', example: { team: 'shop' } })
  tags!: Record<string, unknown>;

  @Field(dateTime(), { description: 'When it was made.', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;

  @Field(dateTime(), { description: 'When it last changed.', example: '2026-01-02T03:04:05.678Z' })
  updated_at!: string;

  @Field(string(), {
    description: 'STARTING, RUNNING, PAUSED, ERROR or MISSING.',
    example: 'RUNNING',
  })
  sandbox_status!: string;

  @Field(string(), {
    nullable: true,
    description: 'idle, running, paused, finished, error or stuck; null before the start.',
    example: 'idle',
  })
  execution_status!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The conversation at its agent server: to its creator, while the sandbox runs.',
    example: `http://127.0.0.1:41000/api/conversations/${id}`,
  })
  conversation_url!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The key for it, in `X-Session-API-Key`: to its creator, while the sandbox runs.',
  })
  session_api_key!: string | null;

  @Field(model(() => ConversationWorkspace), {
    nullable: true,
    description: 'Where its agent works: to its creator, while the sandbox runs.',
  })
  workspace!: ConversationWorkspace | null;
}

/** A page of conversations. */
export class AppConversationPage {
  @Field(list(model(() => AppConversation)), { description: 'The conversations of the page.' })
  items!: AppConversation[];

  @Field(string(), { nullable: true, description: 'What to pass as `page_id` for the next page.' })
  next_page_id!: string | null;
}

/** `?ids=` of batch reads. */
export class IdsQuery {
  @Field(commaList(string()), {
    description: 'Ids, repeated or separated by commas; at most 100 are read.',
    example: [id],
    exampleFrom: LATEST_CONVERSATION,
  })
  ids: string[] = [];
}

/** Which of the caller's conversations to count. */
export class AppConversationFilter {
  @Field(string(), { optional: true, description: 'A part of the title, in any case.', example: 'login' })
  title__contains?: string;

  @Field(dateTime(), {
    optional: true,
    description: 'Created then or later.',
    example: '2026-11-01T00:00:00Z',
  })
  created_at__gte?: Date;

  @Field(dateTime(), { optional: true, description: 'Created before.', example: '2026-12-01T00:00:00Z' })
  created_at__lt?: Date;

  @Field(dateTime(), {
    optional: true,
    description: 'Changed then or later.',
    example: '2026-11-01T00:00:00Z',
  })
  updated_at__gte?: Date;

  @Field(dateTime(), { optional: true, description: 'Changed before.', example: '2026-12-01T00:00:00Z' })
  updated_at__lt?: Date;

  @Field(string(), { optional: true, description: 'In this sandbox.', example: id })
  sandbox_id__eq?: string;

  @Field(boolean(), { description: 'Whether sub-conversations are among them.' })
  include_sub_conversations = false;

  @Field(tagsFilter(), TAGS_FILTER)
  tags: string[] = [];
}

/** How `/search` sorts. */
const CONVERSATION_ORDERS = [
  'CREATED_AT',
  'CREATED_AT_DESC',
  'UPDATED_AT',
  'UPDATED_AT_DESC',
  'TITLE',
  'TITLE_DESC',
] as const;

/** Which of the caller's conversations to list, and how. */
export class AppConversationSearch extends AppConversationFilter {
  @Field(oneOf(CONVERSATION_ORDERS), { description: 'Order of the answer.' })
  sort_order: (typeof CONVERSATION_ORDERS)[number] = 'CREATED_AT_DESC';

  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Items of a page; above 100 counts as 100.' })
  limit = 100;
}
