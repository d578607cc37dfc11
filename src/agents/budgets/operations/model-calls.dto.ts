import { PageQuery } from '../../../accounts/orgs';
import {
  boolean,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  number,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { CALL_STATUSES, type CallStatus } from '../calls/call-status';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';
const TIME = '2026-11-29T09:30:00.000Z';

/** Which calls of models. */
export class ModelCallsQuery extends PageQuery {
  @Field(uuid(), { nullable: true, description: 'Of whom; everybody where it is left out.', example: USER })
  user_id: string | null = null;

  @Field(string({ maxLength: 255 }), {
    nullable: true,
    description: 'Of which model; of all where it is left out.',
    example: 'anthropic/claude-sonnet-4-5',
  })
  model: string | null = null;

  @Field(uuid(), {
    nullable: true,
    description: 'Of which conversation; of all where it is left out.',
    example: CONVERSATION,
  })
  conversation_id: string | null = null;

  @Field(oneOf(CALL_STATUSES), {
    nullable: true,
    description: 'How they stand; all where it is left out.',
    example: 'lost',
  })
  status: CallStatus | null = null;
}

/** A row of the ledger. */
export class ModelCallResponse {
  @Field(uuid(), { description: 'Id of the call.', example: '0c7b8a1d-3e52-4f6a-b9c0-5d1e2f3a4b66' })
  id!: string;

  @Field(uuid(), { description: 'The conversation, which may be gone.', example: CONVERSATION })
  conversation_id!: string;

  @Field(uuid(), { description: 'Whose conversation it is.', example: USER }) user_id!: string;

  @Field(string(), {
    nullable: true,
    description: 'Their address; null for who has none, or is gone.',
    example: 'ada@example.com',
  })
  user_email!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The repository of the conversation at that time; null for none.',
    example: 'acme/tools',
  })
  repository!: string | null;

  @Field(dictionary(), {
    description: 'The tags of the conversation at that time; empty where they have more than 4 KiB.',
    example: { team: 'tools' },
  })
  tags!: Record<string, unknown>;

  @Field(string(), { description: 'The model.', example: 'anthropic/claude-sonnet-4-5' }) model!: string;

  @Field(string(), { description: 'Whom it was asked of.', example: 'anthropic' }) provider!: string;

  @Field(oneOf(CALL_STATUSES), {
    description:
      '`reserved` while it is under way; `interrupted` where the caller hung up; `lost` where the process died that made it, and it is counted by the most it could cost.',
    example: 'ok',
  })
  status!: CallStatus;

  @Field(integer(), { description: 'Tokens of the prompt, those of the cache too.', example: 12_000 })
  prompt_tokens!: number;

  @Field(integer(), { description: 'Tokens of the completion.', example: 800 }) completion_tokens!: number;

  @Field(integer(), { description: 'Of the prompt, read from the cache.', example: 9_000 })
  cache_read_tokens!: number;

  @Field(integer(), { description: 'Of the prompt, written to the cache.', example: 0 })
  cache_write_tokens!: number;

  @Field(number(), { description: 'In dollars.', example: 0.0237 }) cost!: number;

  @Field(boolean(), {
    description: 'Whether the provider said what was used; otherwise it was counted.',
    example: true,
  })
  usage_reported!: boolean;

  @Field(integer(), {
    nullable: true,
    description: 'The status of the response; null without one.',
    example: 200,
  })
  http_status!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Milliseconds until its end; null while it is under way.',
    example: 5_210,
  })
  latency_ms!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Milliseconds until its first byte; null without one.',
    example: 640,
  })
  first_byte_ms!: number | null;

  @Field(number(), { description: 'The most it could cost, in dollars.', example: 0.26 })
  reserved_usd!: number;

  @Field(integer(), { description: 'The most tokens it could use.', example: 28_000 })
  reserved_tokens!: number;

  @Field(dateTime(), { description: 'When it was begun.', example: TIME }) at!: string;

  @Field(dateTime(), {
    nullable: true,
    description: 'When it was settled; null while it is under way.',
    example: TIME,
  })
  settled_at!: string | null;
}

/** A page of the ledger. */
export class ModelCallPage {
  @Field(list(model(() => ModelCallResponse)), { description: 'The calls of the page, the newest first.' })
  items!: ModelCallResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
