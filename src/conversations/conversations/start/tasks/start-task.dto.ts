import { PAGE_ID_EXAMPLE } from '../../../../kernel/common';
import {
  anything,
  commaList,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  uuid,
} from '../../../../kernel/validation';
import { START_TASK_STATUSES, type StartTaskStatus } from '../../start-tasks/start-task-status';

const id = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

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

/** Which start tasks to count. */
export class StartTaskFilter {
  @Field(string(), { optional: true, description: 'The task of this conversation.', example: id })
  conversation_id__eq?: string;

  @Field(dateTime(), {
    optional: true,
    description: 'Created then or later.',
    example: '2026-11-01T00:00:00Z',
  })
  created_at__gte?: Date;
}

/** Which start tasks to list. */
export class StartTaskSearch extends StartTaskFilter {
  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Items of a page; above 100 counts as 100.' })
  limit = 100;
}

/** `?ids=` of start tasks. */
export class StartTaskIdsQuery {
  @Field(commaList(string()), {
    description: 'Ids, repeated or separated by commas; at most 100 are read.',
    example: [id],
    exampleFrom: {
      get: '/api/v1/app-conversations/start-tasks/search?limit=1',
      list: 'items',
      value: 'id',
      none: 'You have no conversation yet: start one with POST /api/v1/app-conversations.',
    },
  })
  ids: string[] = [];
}
