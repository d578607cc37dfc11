import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { type ContentBlock, contentBlock, LATEST_CONVERSATION } from '../../conversations';
import {
  anything,
  boolean,
  commaList,
  dateTime,
  Field,
  integer,
  list,
  literal,
  model,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import { MESSAGE_MODES, MESSAGE_STATES, type MessageMode, type MessageState } from '../record/message.enums';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

/** `{conversation_id}`: any text; the operations describe what it can name. */
export class QueuePath {
  @Field(string(), {
    description:
      'Id of a conversation or a start task, also as `task-<32 hex>`, or of a conversation to come.',
    example: id,
    exampleFrom: LATEST_CONVERSATION,
  })
  conversation_id!: string;
}

/** The path with `{message_id}` too. */
export class QueuedMessagePath extends QueuePath {
  @Field(string(), {
    description: 'Id of the message.',
    example: id,
    exampleFrom: {
      get: '/api/v1/conversations/{conversation_id}/pending-messages?state=queued',
      list: 'items',
      value: 'id',
      none: 'No message of your latest conversation waits: pause its sandbox, and queue one with POST.',
    },
  })
  message_id!: string;
}

/** A message to queue (docs/contract.md#queued-messages). */
export class PendingMessageRequest {
  @Field(literal('user'), { description: 'Only `user` is supported.' })
  role = 'user' as const;

  @Field(list(contentBlock(), { min: 1 }), {
    description: 'Text and image blocks.',
    example: [{ type: 'text', text: 'When you are done, open a pull request.' }],
  })
  content!: ContentBlock[];

  @Field(oneOf(MESSAGE_MODES), {
    description:
      '`steer` goes to the agent at once, also to one that runs; `after_run` waits until the agent does not run, and holds back the messages behind it.',
    example: 'after_run',
  })
  mode: MessageMode = 'steer';
}

/** The response to a queued message (docs/contract.md#queued-messages). */
export class PendingMessageResponse {
  @Field(uuid(), { description: 'Id of the message.', example: id })
  id!: string;

  @Field(boolean(), { description: 'Always true.', example: true })
  queued!: boolean;

  @Field(integer(), {
    description: 'Place among the messages that are not delivered yet, from 1.',
    example: 1,
  })
  position!: number;
}

/** New content of a queued message, and a new mode of it. */
export class PendingMessageUpdate {
  @Field(list(contentBlock(), { min: 1 }), {
    description: 'Text and image blocks, in place of the old ones.',
    example: [{ type: 'text', text: 'Open a draft pull request.' }],
  })
  content!: ContentBlock[];

  @Field(oneOf(MESSAGE_MODES), {
    optional: true,
    description: 'How it goes to an agent that runs from now on; as it was where it is left out.',
    example: 'steer',
  })
  mode?: MessageMode;
}

/** A new order of the queued messages. */
export class PendingMessageOrder {
  @Field(list(string()), {
    description: 'The ids of all queued messages, first to be delivered first.',
    example: [id],
  })
  ids!: string[];
}

/** Which messages of a queue to list. */
export class QueueQuery {
  @Field(commaList(oneOf(MESSAGE_STATES)), {
    description: 'States to list, repeated or separated by commas.',
    example: ['delivered'],
  })
  state: MessageState[] = ['queued', 'delivering', 'failed'];

  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;
}

/** A message of a queue. */
export class QueuedMessage {
  @Field(uuid(), { description: 'Id of the message.', example: id })
  id!: string;

  @Field(oneOf(MESSAGE_STATES), { description: 'Where it is on its way.', example: 'queued' })
  state!: MessageState;

  @Field(integer(), {
    nullable: true,
    description: 'Place among the undelivered; null for others.',
    example: 1,
  })
  position!: number | null;

  @Field(oneOf(MESSAGE_MODES), { description: 'How it goes to an agent that runs.', example: 'steer' })
  mode!: MessageMode;

  @Field(string(), { description: 'Whose message it is.', example: 'user' })
  role!: string;

  @Field(anything(), {
    description: 'The blocks as they came.',
    example: [{ type: 'text', text: 'When you are done, open a pull request.' }],
  })
  content!: unknown;

  @Field(dateTime(), { description: 'When it was queued.', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;

  @Field(integer(), { description: 'How often delivery was tried.', example: 0 })
  attempts!: number;

  @Field(string(), { nullable: true, description: 'Why the last try failed.' })
  last_error!: string | null;

  @Field(dateTime(), { nullable: true, description: 'When it was delivered; null until then.' })
  delivered_at!: string | null;
}

/** The messages of a queue, first to be delivered first. */
export class QueuedMessageList {
  @Field(list(model(() => QueuedMessage)), { description: 'The messages, first to be delivered first.' })
  items!: QueuedMessage[];

  @Field(string(), {
    nullable: true,
    description:
      'What to pass as `page_id` for the next page; null unless the messages have more than 16 MiB together.',
  })
  next_page_id!: string | null;
}
