import { OrgPath } from '../../../../accounts/orgs';
import { SANDBOX_STATUSES, type SandboxStatus } from '../../../../sandboxes/sandboxes';
import {
  anything,
  boolean,
  commaList,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  number,
  oneOf,
  string,
} from '../../../../kernel/validation';
import { LATEST_CONVERSATION } from '../../app-conversations/app-conversation.dto';
import { TAGS_FILTER, tagsFilter } from '../../listed/tags-filter';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../../record/conversation.enums';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

/** `{org_id}` and `{conversation_id}` of one of an organization's conversations. */
export class OrgConversationPath extends OrgPath {
  @Field(string(), { description: 'Id of the conversation.', example: id, exampleFrom: LATEST_CONVERSATION })
  conversation_id!: string;
}

/** Time windows, on the time of creation. */
const TIME_WINDOWS = ['all', '7d', '30d', '90d'] as const;

/** What the list is sorted by. */
export const SORT_KEYS = ['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'] as const;

const SORT_ORDERS = ['desc', 'asc'] as const;

/** The filters before the page: errors are listed in the order of declaration, so that it comes in between. */
class OrgConversationsSelection {
  @Field(string(), {
    nullable: true,
    description:
      "A part of the title, of the creator's name or e-mail address, or of the sandbox id, in any case. `%` and `_` stand for themselves.",
    example: 'login',
  })
  search: string | null = null;

  @Field(oneOf(SORT_KEYS), {
    description: 'What to sort by; titles in any case and by their first 255 characters; null comes last.',
  })
  sort_by: (typeof SORT_KEYS)[number] = 'updated_at';

  @Field(oneOf(SORT_ORDERS), { description: 'Direction; ties by id in the same direction.' })
  sort_order: (typeof SORT_ORDERS)[number] = 'desc';

  @Field(commaList(oneOf(EXECUTION_STATUSES)), {
    description: 'Any of these, separated by commas or repeated.',
    example: ['running', 'paused'],
  })
  execution_status: ExecutionStatus[] = [];

  @Field(oneOf(SANDBOX_STATUSES), {
    nullable: true,
    description:
      'Applied to each page after the query: a page may hold fewer items, and `total_items` is that without this filter. See `accurate_totals`.',
    example: 'RUNNING',
  })
  sandbox_status: SandboxStatus | null = null;

  @Field(oneOf(TIME_WINDOWS), { description: 'Created within this time.' })
  time_window: (typeof TIME_WINDOWS)[number] = 'all';

  @Field(tagsFilter(), TAGS_FILTER)
  tags: string[] = [];
}

/** Which conversations of the organization, and in which order. */
export class OrgConversationsFilter extends OrgConversationsSelection {
  @Field(boolean(), { description: 'Whether sub-conversations are among them.' })
  include_sub_conversations = false;
}

/** Items of a page at most. */
export const MAX_PER_PAGE = 100;

/** Which page of the organization's conversations. */
export class OrgConversationsQuery extends OrgConversationsSelection {
  @Field(integer({ ge: 1 }), { description: 'The page, from 1; past the end it is empty.' })
  page = 1;

  @Field(integer({ ge: 1, le: MAX_PER_PAGE }), { description: 'Items of a page.' })
  per_page = 20;

  @Field(boolean(), { description: 'Whether sub-conversations are among them.' })
  include_sub_conversations = false;

  @Field(boolean(), {
    description: 'With `sandbox_status`: filter in the query, so that pages are full and totals exact.',
  })
  accurate_totals = false;
}

/** Which conversations of the organization to export: as a filter of the list; the order is that of creation. */
export class OrgConversationsExport {
  @Field(string(), { nullable: true, description: 'As in the list.', example: 'login' })
  search: string | null = null;

  @Field(commaList(oneOf(EXECUTION_STATUSES)), {
    description: 'Any of these, separated by commas or repeated.',
    example: ['running', 'paused'],
  })
  execution_status: ExecutionStatus[] = [];

  @Field(oneOf(SANDBOX_STATUSES), { nullable: true, description: 'Exactly these.', example: 'RUNNING' })
  sandbox_status: SandboxStatus | null = null;

  @Field(oneOf(TIME_WINDOWS), { description: 'Created within this time.' })
  time_window: (typeof TIME_WINDOWS)[number] = 'all';

  @Field(tagsFilter(), TAGS_FILTER)
  tags: string[] = [];

  @Field(boolean(), { description: 'Whether sub-conversations are among them.' })
  include_sub_conversations = false;
}

/** A conversation, as the admins of its organization see it. */
export class OrgConversationResponse {
  @Field(string(), { description: 'Id of the conversation.', example: id })
  id!: string;

  @Field(string(), { description: 'Who started it.', example: id })
  user_id!: string;

  @Field(string(), {
    nullable: true,
    description: 'Title of the conversation.',
    example: 'Fix the flaky login test',
  })
  title!: string | null;

  @Field(string(), { nullable: true, description: 'Model it runs on.', example: 'anthropic/claude-sonnet' })
  llm_model!: string | null;

  @Field(string(), { description: 'Kind of agent that works in it.', example: 'openhands' })
  agent_kind!: string;

  @Field(string(), { nullable: true, description: "The creator's address.", example: 'ada@example.com' })
  user_email!: string | null;

  @Field(dateTime(), { description: 'When it was made.', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;

  @Field(dateTime(), { description: 'When it last changed.', example: '2026-01-02T03:04:05.678Z' })
  updated_at!: string;

  @Field(string(), { nullable: true, description: 'The sandbox it runs in.', example: id })
  sandbox_id!: string | null;

  @Field(oneOf(SANDBOX_STATUSES), {
    nullable: true,
    description: 'What that sandbox is doing.',
    example: 'RUNNING',
  })
  sandbox_status!: SandboxStatus | null;

  @Field(string(), {
    nullable: true,
    description:
      'The conversation at its agent server, where its log and history are; while the sandbox runs.',
    example: `http://127.0.0.1:41000/api/conversations/${id}`,
  })
  runtime_url!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'idle, running, paused, finished, error or stuck; null before the start.',
    example: 'idle',
  })
  execution_status!: string | null;

  @Field(string(), { nullable: true, description: 'Repository it works on.', example: 'acme/shop' })
  selected_repository!: string | null;

  @Field(string(), { nullable: true, description: 'Branch it works on.', example: 'main' })
  selected_branch!: string | null;

  @Field(string(), { nullable: true, description: 'Where the repository is.', example: 'github' })
  git_provider!: string | null;

  @Field(string(), { nullable: true, description: 'What started it.', example: 'gui' })
  trigger!: string | null;

  @Field(list(integer()), { description: 'Pull requests it works on.', example: [42] })
  pr_number!: number[];

  @Field(boolean(), { nullable: true, description: 'Whether they are merged.' })
  pr_merged!: boolean | null;

  @Field(dictionary(anything()), { description: 'Tags of its creator.', example: { team: 'shop' } })
  tags!: Record<string, unknown>;

  @Field(number(), { description: 'Cost in US dollars.', example: 0 })
  accumulated_cost!: number;

  @Field(integer(), { description: 'Tokens sent to the model.', example: 0 })
  prompt_tokens!: number;

  @Field(integer(), { description: 'Tokens the model answered.', example: 0 })
  completion_tokens!: number;

  @Field(integer(), { description: 'Of prompt and completion together.', example: 0 })
  total_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens read from a cache.', example: 0 })
  cache_read_tokens!: number;

  @Field(integer(), { description: 'Prompt tokens written to a cache.', example: 0 })
  cache_write_tokens!: number;
}

/** A page of the organization's conversations. */
export class OrgConversationPage {
  @Field(list(model(() => OrgConversationResponse)), { description: 'The conversations of the page.' })
  items!: OrgConversationResponse[];

  @Field(integer(), { description: 'How many there are on all pages.', example: 1 })
  total_items!: number;

  @Field(integer(), { description: 'Which page this is.', example: 1 })
  page!: number;

  @Field(integer(), { description: 'Most items of a page.', example: 20 })
  per_page!: number;

  @Field(integer(), { description: '0 when there are none.', example: 1 })
  total_pages!: number;

  @Field(boolean(), {
    description:
      'False when `sandbox_status` was applied to the page only, so that totals do not know of it.',
    example: true,
  })
  pagination_accurate!: boolean;
}
