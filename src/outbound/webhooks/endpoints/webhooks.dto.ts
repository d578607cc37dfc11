import { OrgPath } from '../../../accounts/orgs';
import {
  boolean,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { urlProblem } from '../addresses/webhook-addresses';
import { DISABLED_REASONS, type DisabledReason, kindProblem, MAX_KIND } from '../record/webhook.enums';
import { MAX_CONVERSATION_IDS, MAX_DESCRIPTION, MAX_KINDS, MAX_URL } from '../record/limits';

const ID = 'a4d2c1c6-5a77-4b52-9f0e-3f5a8d1b7c90';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';
const TIME = '2026-11-21T09:30:00.000Z';
const MAX_TAGS = 50;
const MAX_TAG_NAME = 100;
const MAX_TAG_VALUE = 1_000;

const url = () => string({ trim: true, maxLength: MAX_URL, rule: urlProblem });
const kinds = () => list(string({ maxLength: MAX_KIND, rule: kindProblem }), { min: 1, max: MAX_KINDS });
const conversationIds = () => list(uuid(), { min: 1, max: MAX_CONVERSATION_IDS });
const tags = () => dictionary(string({ maxLength: MAX_TAG_VALUE }), { max: MAX_TAGS, rule: tagsProblem });

const URL_TEXT =
  'Where callbacks go: https at a public host. Hosts in WEBHOOK_ALLOWED_HOSTS are exempt from both.';
const KINDS_TEXT =
  'What is sent: kinds of domain events, kinds of the agents’ events, `prefix.*`, or `*` for everything but the audit log, which is `audit.*`. Unknown kinds are accepted.';
const CONVERSATIONS_TEXT = 'Only what happens in these conversations; null for all that happens.';
const TAGS_TEXT =
  'Only what happens in conversations that have all of these tags; null for all that happens.';

function tagsProblem(value: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(value);
  if (names.length === 0) return 'there is no tag; null stands for all conversations';
  return names.every((name) => name.length <= MAX_TAG_NAME)
    ? null
    : `a tag has a name of at most ${MAX_TAG_NAME} characters`;
}

/** Path of operations on one webhook. */
export class WebhookPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the webhook; what is no id of one is a 404.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/webhooks',
      list: 'items',
      value: 'id',
      none: 'The organization has no webhook: make one with POST.',
    },
  })
  webhook_id!: string;
}

/** Query of the list of webhooks. */
export class WebhooksQuery {
  @Field(string(), {
    nullable: true,
    description: 'Where the page starts: `next_page_id` of the page before.',
  })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Most items on the page; above 100 counts as 100.', example: 50 })
  limit = 100;
}

/** Body of `POST …/webhooks`. */
export class WebhookCreate {
  @Field(url(), { description: URL_TEXT, example: 'https://hooks.example.com/conversations' })
  url!: string;

  @Field(kinds(), { description: KINDS_TEXT, example: ['conversation.*', 'MessageEvent'] })
  kinds!: string[];

  @Field(string({ maxLength: MAX_DESCRIPTION }), { description: 'What it is for.', example: 'Reports' })
  description = '';

  @Field(conversationIds(), { nullable: true, description: CONVERSATIONS_TEXT, example: null })
  conversation_ids: string[] | null = null;

  @Field(tags(), { nullable: true, description: TAGS_TEXT, example: null })
  tags: Record<string, string> | null = null;
}

/** Body of `PATCH …/webhooks/{webhook_id}`; what is absent stays. */
export class WebhookUpdate {
  @Field(url(), { optional: true, description: URL_TEXT, example: 'https://hooks.example.com/other' })
  url?: string;

  @Field(kinds(), { optional: true, description: KINDS_TEXT, example: ['*'] })
  kinds?: string[];

  @Field(string({ maxLength: MAX_DESCRIPTION }), {
    optional: true,
    description: 'What it is for.',
    example: 'Reports',
  })
  description?: string;

  @Field(conversationIds(), { optional: true, nullable: true, description: CONVERSATIONS_TEXT })
  conversation_ids?: string[] | null;

  @Field(tags(), { optional: true, nullable: true, description: TAGS_TEXT })
  tags?: Record<string, string> | null;
}

/** A webhook, without its secret. */
export class WebhookResponse {
  @Field(uuid(), { description: 'Its id.', example: ID })
  id!: string;

  @Field(string(), {
    description: 'Where callbacks go.',
    example: 'https://hooks.example.com/conversations',
  })
  url!: string;

  @Field(string(), { description: 'What it is for.', example: 'Reports' })
  description!: string;

  @Field(list(string()), {
    description: 'Which kinds are sent.',
    example: ['conversation.*', 'MessageEvent'],
  })
  kinds!: string[];

  @Field(list(uuid()), {
    nullable: true,
    description: 'In which conversations; null for all that happens.',
    example: [CONVERSATION],
  })
  conversation_ids!: string[] | null;

  @Field(dictionary(string()), {
    nullable: true,
    description: 'Tags that a conversation must all have; null for all that happens.',
    example: { team: 'tools' },
  })
  tags!: Record<string, string> | null;

  @Field(boolean(), { description: 'Whether anything is sent.', example: true })
  enabled!: boolean;

  @Field(oneOf(DISABLED_REASONS), {
    nullable: true,
    description:
      'Why it is disabled: somebody did it, it answered 410, it only failed for five days, or too much waited for it.',
    example: null,
  })
  disabled_reason!: DisabledReason | null;

  @Field(dateTime(), { nullable: true, description: 'Since when it is disabled.', example: null })
  disabled_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'The first failure since the last success; null when the last callback succeeded.',
    example: null,
  })
  failing_since!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'Until when the secret before a rotation signs as well.',
    example: null,
  })
  previous_secret_until!: string | null;

  @Field(uuid(), {
    nullable: true,
    description: 'Who made it; null for a user that is gone.',
    example: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  })
  created_by_user_id!: string | null;

  @Field(dateTime(), { description: 'When it was made.', example: TIME })
  created_at!: string;

  @Field(dateTime(), { description: 'When it was last changed.', example: TIME })
  updated_at!: string;
}

/** A webhook with its secret: answered when it is made and when the secret is rotated, and never again. */
export class WebhookWithSecret extends WebhookResponse {
  @Field(string(), {
    description: 'What callbacks are signed with (Standard Webhooks). Shown this once.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret!: string;
}

/** Response of `GET …/webhooks`. */
export class WebhookPage {
  @Field(list(model(() => WebhookResponse)), { description: 'The webhooks of the page.' })
  items!: WebhookResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
